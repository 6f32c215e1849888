import type { Selectable } from 'kysely'
import type { Database } from '../platform/database/tables.ts'
import type { PixelSize, Watermark } from '../platform/media/image-tasks.ts'

export type RenditionProfile = {
  /** Different profiles have different names. */
  variant: string
  capPx: number | null
  watermark: Watermark | null
  /** Crops to exactly this size instead of fitting into it. */
  crop?: PixelSize
}

/** For operators and integrations. */
export const plainProfile: RenditionProfile = { variant: 'plain', capPx: null, watermark: null }

export const renditionFormats = ['webp', 'jpeg', 'avif'] as const
export type StoredFormat = (typeof renditionFormats)[number]

/** The `bound_px` of full-size renditions. A JPEG cannot be wider. */
export const fullSizePx = 65_500

export type RenditionRequest = {
  profile: RenditionProfile
  /** The maximum width: a standard width or `fullSizePx`. */
  bound_px: number
  format: StoredFormat
}

export type RenditionTable = {
  photo_id: number
  /** The original that it was made from: a replace invalidates the row. */
  content_hash: string
  variant: string
  bound_px: number
  format: StoredFormat
  event_id: number
  /** Names are never reused for other content. */
  filename: string
  width: number
  height: number
  size_bytes: number
  sha256: string
  crc32: number
  created_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    photo_renditions: RenditionTable
  }
}

export type RenditionRow = Selectable<RenditionTable>

type RenditionKey = Pick<RenditionRow, 'variant' | 'bound_px' | 'format'>

export const findRendition = (
  db: Database,
  photo: { id: number; content_hash: string },
  { variant, bound_px, format }: RenditionKey,
): Promise<RenditionRow | undefined> =>
  db
    .selectFrom('photo_renditions')
    .selectAll()
    .where('photo_id', '=', photo.id)
    .where('content_hash', '=', photo.content_hash)
    .where('variant', '=', variant)
    .where('bound_px', '=', bound_px)
    .where('format', '=', format)
    .executeTakeFirst()
