import type { Generated, Selectable } from 'kysely'
import type { ProblemCode } from '../../../contract/problems.ts'
import { byKey } from '../../platform/database/short-read.ts'
import type { Database, Flag, Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'

export type ChunkedUploadTable = {
  id: string
  event_id: number
  /** The operator who owns the upload; null if a guest owns it. */
  user_id: number | null
  guest_id: string | null
  filename: string
  size_bytes: number
  replaces_photo_id: number | null
  /** Whether the earlier file of the replaced photo must become a version. */
  adds_version: Generated<Flag>
  /** The files that were chosen together, by an id of the client. All three are null outside a batch. */
  batch: Generated<string | null>
  batch_index: Generated<number | null>
  /** When the first upload of the batch was created. */
  batch_started_at: Generated<number | null>
  status: 'in_progress' | 'completed' | 'failed'
  problem: ProblemCode | null
  photo_id: number | null
  /** Handle of the file in `Storage.multipart`. */
  parted_handle: string
  /**
   * While the status is `in_progress`, a node is creating the photo until this time; 0 means that no node is. Always 0
   * on SQLite.
   */
  completing_until: Generated<number>
  created_at: number
  /** When the upload was created, or a chunk was begun or received. */
  active_at: number
  /** The sum of the chunks of a guest that were begun; 0 for operators. */
  received_bytes: Generated<number>
  expires_at: number
}

/** A durable chunk. The row is deleted before another copy of the chunk is written. */
export type ReceivedChunkTable = { upload_id: string; chunk_index: number; sha256: string; crc32: number }

/** A chunk of a guest that is counted in `received_bytes`. */
export type BegunChunkTable = { upload_id: string; chunk_index: number }

declare module '../../platform/database/tables.ts' {
  interface Tables {
    chunked_uploads: ChunkedUploadTable
    received_chunks: ReceivedChunkTable
    begun_chunks: BegunChunkTable
  }
}

export type UploadRow = Selectable<ChunkedUploadTable>
export type ChunkRow = Selectable<ReceivedChunkTable>

export const findUpload = (db: Database | Tx, id: string): Promise<UploadRow | undefined> =>
  db.selectFrom('chunked_uploads').selectAll().where('id', '=', id).modifyEnd(byKey).executeTakeFirst()

export const findChunk = (db: Database | Tx, uploadId: string, index: number): Promise<ChunkRow | undefined> =>
  db
    .selectFrom('received_chunks')
    .selectAll()
    .where('upload_id', '=', uploadId)
    .where('chunk_index', '=', index)
    .modifyEnd(byKey)
    .executeTakeFirst()

export const listChunks = (db: Database | Tx, uploadId: string): Promise<ChunkRow[]> =>
  db.selectFrom('received_chunks').selectAll().where('upload_id', '=', uploadId).orderBy('chunk_index').execute()

/** Returns whether the chunk was begun for the first time. Does nothing if the upload is gone. */
export async function recordBegunChunk(tx: Tx, uploadId: string, index: number): Promise<boolean> {
  const recorded = await tx
    .insertInto('begun_chunks')
    .columns(['upload_id', 'chunk_index'])
    .expression(({ selectFrom, lit }) =>
      selectFrom('chunked_uploads')
        .select(['id', lit(index).as('chunk_index')])
        .where('id', '=', uploadId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('chunk_index')
    .execute()
  return recorded.length > 0
}

/** Throws NOT_FOUND for an unknown or expired upload, and for an upload of another event or another owner. */
export async function getUpload(
  { db, clock }: PlatformContext,
  eventId: number,
  uploadId: string,
  isOwn: (upload: UploadRow) => boolean | Promise<boolean>,
): Promise<UploadRow> {
  const upload = await findUpload(db, uploadId)
  const isThere = upload && upload.event_id === eventId && upload.expires_at > clock.now()
  if (isThere && (await isOwn(upload))) return upload
  throw new AppError('NOT_FOUND', { text: 'The upload does not exist or has expired. Start a new one.' })
}

/** For a copied database without the stored chunks. Clients must start these uploads again. */
export async function deleteUnfinishedUploads(copy: Database): Promise<void> {
  await copy.deleteFrom('chunked_uploads').where('status', '=', 'in_progress').execute()
}
