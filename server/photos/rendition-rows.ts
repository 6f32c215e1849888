import type { Selectable } from 'kysely'
import type { Database } from '../platform/database/tables.ts'
import type { PixelSize, Watermark } from '../platform/media/image-tasks.ts'

/** What is done to a picture beside making it smaller: the cap of its longest edge first, then the watermark. */
export type Look = {
  /** Names the look: two that differ in anything have two names. */
  variant: string
  capPx: number | null
  watermark: Watermark | null
  /** Cut to exactly this size instead of fitted into it. */
  crop?: PixelSize
}

/** As operators and integrations see photos. */
export const plainLook: Look = { variant: 'plain', capPx: null, watermark: null }

export const renditionFormats = ['webp', 'jpeg', 'avif'] as const
export type KeptFormat = (typeof renditionFormats)[number]

/** The `bound_px` of the picture that stands for the full size: no JPEG can be wider. */
export const wholePx = 65_500

/** What may be asked for of one photo: of each at most one is kept. */
export type RenditionWish = {
  look: Look
  /** The picture is at most this wide: a step of the ladder, or `wholePx`. */
  bound_px: number
  format: KeptFormat
}

export type RenditionTable = {
  photo_id: number
  /** Of the original that it was made of: a replace makes it void. */
  content_hash: string
  /** Of the look. */
  variant: string
  bound_px: number
  format: KeptFormat
  event_id: number
  /** Under `renditionKey`. A name never gets other bytes. */
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

/** The one that was made of the photo's present file. */
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
