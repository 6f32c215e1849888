import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { chunkBytes, type InitUploadBody } from '../../../contract/chunked-uploads.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { assertNotArchived } from '../../events/event-rules.ts'
import { flag, type Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { fileTooLarge } from '../../platform/storage/received-file.ts'
import { hours, minutes } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { fileFamily, findExtensionError, maxBytesForFamily } from '../../settings/file-type-rules.ts'
import { assertBelowCap } from '../receive-photo.ts'
import { assertKeepsVersions, assertReplaceable } from '../replace-photo.ts'
import { discardSessions, makeRoomForSession } from './guest-sessions.ts'
import { createUploadFile } from './upload-files.ts'
import type { ChunkedUploadTable, UploadRow } from './upload-rows.ts'
import { countChunks } from './upload-rules.ts'

const sessionMs = hours(24)

type RecordUpload = (tx: Tx, id: string) => Promise<void>

export type Uploader = { userId: number } | { guestId: string }

/**
 * The order of the checks is part of the API contract. The photo cap does not limit a replacement. `completeUpload`
 * checks the photo to replace again. `record` is called in the transaction.
 */
export async function initUpload(
  ctx: AppContext,
  event: EventRow,
  uploader: Uploader,
  { filename, fileSize, totalChunks, replaces_photo_id, adds_version_to, batch }: InitUploadBody,
  record: RecordUpload = async () => undefined,
): Promise<UploadRow> {
  const { clock, settings, storage } = ctx
  assertNotArchived(event)
  const addsVersion = typeof adds_version_to === 'number'
  if (addsVersion && typeof replaces_photo_id === 'number') {
    throw invalidField('adds_version_to', 'cannot be sent with replaces_photo_id')
  }
  const replacesPhotoId = adds_version_to ?? replaces_photo_id ?? null
  const values = await settings.values()
  const maxBytes = maxBytesForFamily(fileFamily(filename), values)
  if (fileSize > maxBytes) throw asBadRequest(fileTooLarge(maxBytes))
  const extensionError = findExtensionError(filename, values)
  if (extensionError) throw asBadRequest(extensionError)
  const expected = countChunks(fileSize)
  if (totalChunks !== undefined && totalChunks !== expected) throw invalidField('totalChunks', `must be ${expected}`)
  if (replacesPhotoId === null) await assertBelowCap(ctx, event)
  else await assertReplaceable(ctx, event, replacesPhotoId, fileFamily(filename))
  if (addsVersion) assertKeepsVersions(event)
  await storage.ensureSpaceFor(fileSize, 'guestId' in uploader ? 'guest' : 'operator', { onlyCheck: true })
  const { maxParts } = storage.multipart
  if (expected > maxParts) throw asBadRequest(fileTooLarge(maxParts * chunkBytes))

  const now = clock.now()
  const id = randomUUID()
  const handle = await createUploadFile(ctx, { id, event_id: event.id, filename })
  const upload = {
    id,
    event_id: event.id,
    user_id: 'userId' in uploader ? uploader.userId : null,
    guest_id: 'guestId' in uploader ? uploader.guestId : null,
    filename,
    size_bytes: fileSize,
    replaces_photo_id: replacesPhotoId,
    adds_version: flag(addsVersion),
    batch: batch?.id ?? null,
    batch_index: batch?.index ?? null,
    status: 'in_progress',
    problem: null,
    photo_id: null,
    parted_handle: handle,
    created_at: now,
    active_at: now,
    expires_at: now + sessionMs,
  } as const
  const { created, ended } = await createSession(ctx, event, upload, record).catch(async (error) => {
    await storage.multipart.remove(handle)
    throw error
  })
  await discardSessions(ctx, ended)
  return created
}

/** Throws PHOTO_CAP_REACHED, and the errors of `makeRoomForSession`. */
const createSession = (
  { db }: AppContext,
  event: EventRow,
  upload: Insertable<ChunkedUploadTable>,
  record: RecordUpload,
) =>
  inTransaction(db, `event ${event.id}`, async (tx) => {
    const { guest_id: guestId, created_at: now } = upload
    const ended = guestId ? await makeRoomForSession(tx, { eventId: event.id, guestId }, now) : []
    if (upload.replaces_photo_id === null) await assertBelowCapWithSessions(tx, event, upload)
    const batch_started_at = upload.batch ? await findBatchStart(tx, { ...upload, batch: upload.batch }) : null
    const created = await tx
      .insertInto('chunked_uploads')
      .values({ ...upload, batch_started_at })
      .returningAll()
      .executeTakeFirstOrThrow()
    await record(tx, created.id)
    return { created, ended }
  })

/** Each session repeats the time, because the earlier sessions of the batch may have expired. */
async function findBatchStart(
  tx: Tx,
  { event_id, batch, created_at }: { event_id: number; batch: string; created_at: number },
): Promise<number> {
  const ofBatch = tx.selectFrom('chunked_uploads').where('event_id', '=', event_id).where('batch', '=', batch)
  const earlier = await ofBatch.select('batch_started_at').limit(1).executeTakeFirst()
  return earlier?.batch_started_at ?? created_at
}

/** An upload without a chunk for this time is probably given up, and does not keep a place below the cap. */
const underWayMs = minutes(10)
const emptyUnderWayMs = minutes(1)

/**
 * Counts the uploads that are under way like photos. Those of guests do not count for operators, whom guests must not
 * keep from working. Throws PHOTO_CAP_REACHED.
 */
async function assertBelowCapWithSessions(
  tx: Tx,
  event: EventRow,
  { guest_id, created_at: now }: Insertable<ChunkedUploadTable>,
): Promise<void> {
  if (event.photo_cap === 0) return
  const { count } = await tx
    .selectFrom('chunked_uploads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_id', '=', event.id)
    .where('status', '=', 'in_progress')
    .where('replaces_photo_id', 'is', null)
    .where((where) =>
      where.or([
        where('active_at', '>', now - emptyUnderWayMs),
        where.and([where('received_bytes', '>', 0), where('active_at', '>', now - underWayMs)]),
      ]),
    )
    .$if(!guest_id, (query) => query.where('guest_id', 'is', null))
    .executeTakeFirstOrThrow()
  await assertBelowCap({ db: tx }, event, Number(count))
}

/** The API contract requires status 400 here, where other routes send 413 or 415. Problem code and text stay. */
const asBadRequest = ({ code, message }: AppError): AppError => new AppError(code, { text: message, status: 400 })
