import type { Generated, Selectable } from 'kysely'
import type { ProblemCode } from '../../contract/problems.ts'
import type { Database, Tx } from '../platform/database/tables.ts'

/** A file on its way in, in chunks. */
export type ChunkedUploadTable = {
  id: string
  event_id: number
  /** The operator or the guest to whom it belongs; of the two one is null. */
  user_id: number | null
  guest_id: string | null
  /** The client's, as it was sent. */
  filename: string
  size_bytes: number
  replaces_photo_id: number | null
  status: 'in_progress' | 'completed' | 'failed'
  /** The error that has ended a failed one. */
  problem: ProblemCode | null
  /** Of a completed one; null once the photo is deleted. */
  photo_id: number | null
  /** How the storage knows what has come in. */
  parted_handle: string
  /** Some node makes the photo until then; 0: none does. */
  completing_until: Generated<number>
  created_at: number
  expires_at: number
}

/** A chunk all bytes of which are durable; the row is removed before the first byte of another copy is written. */
export type ReceivedChunkTable = { upload_id: string; chunk_index: number; sha256: string; crc32: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    chunked_uploads: ChunkedUploadTable
    received_chunks: ReceivedChunkTable
  }
}

export type UploadRow = Selectable<ChunkedUploadTable>
export type ChunkRow = Selectable<ReceivedChunkTable>

export const findUpload = (db: Database | Tx, id: string): Promise<UploadRow | undefined> =>
  db.selectFrom('chunked_uploads').selectAll().where('id', '=', id).executeTakeFirst()

export const findChunk = (db: Database | Tx, uploadId: string, index: number): Promise<ChunkRow | undefined> =>
  db
    .selectFrom('received_chunks')
    .selectAll()
    .where('upload_id', '=', uploadId)
    .where('chunk_index', '=', index)
    .executeTakeFirst()

/** In the order of the file. */
export const listChunks = (db: Database | Tx, uploadId: string): Promise<ChunkRow[]> =>
  db.selectFrom('received_chunks').selectAll().where('upload_id', '=', uploadId).orderBy('chunk_index').execute()
