import type { Selectable } from 'kysely'
import type { Database } from '../platform/database/tables.ts'

/** What may be asked for of one photo: of each at most one is kept. */
export type RenditionWish = {
  /** What was done to the picture beside making it smaller: `plain`, or what guests get of it. */
  variant: string
  /** The picture is at most this wide. */
  bound_px: number
  format: 'webp' | 'jpeg'
}

export type RenditionTable = RenditionWish & {
  photo_id: number
  /** Of the original that it was made of: a replace makes it void. */
  content_hash: string
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

/** The one that was made of the photo's present file. */
export const findRendition = (
  db: Database,
  photo: { id: number; content_hash: string },
  { variant, bound_px, format }: RenditionWish,
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
