import { basename } from 'node:path'
import type { EventRow } from '../events/event-rows.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import { findKnownContents } from '../receiving/find-known-contents.ts'
import { receivePhoto } from '../receiving/receive-photo.ts'
import type { AppContext } from '../settings/app-context.ts'
import { fileFamily } from '../settings/file-type-rules.ts'

/** A photo with the content of a quarantined file. `isNew` is false if the event already had such a photo. */
export type AdoptedPhoto = { photoId: number; isNew: boolean }

type Quarantined = { key: string; sizeBytes: number }

/**
 * Makes a photo from a quarantined file, unless the event already has a photo with that content, and removes the file.
 * After an error, the file is still in quarantine. Throws FileMissing, StorageFull and the errors of `receivePhoto`.
 */
export async function adoptFile(
  ctx: AppContext,
  { key, sizeBytes }: Quarantined,
  event: EventRow,
): Promise<AdoptedPhoto> {
  const { storage } = ctx
  await storage.ensureSpaceFor(sizeBytes)
  await storage.restoreQuarantined(key)
  try {
    const adopted = await receiveRestored(ctx, key, event)
    await storage.remove(key)
    return adopted
  } catch (error) {
    await storage.quarantine(key)
    throw error
  }
}

async function receiveRestored(ctx: AppContext, key: string, event: EventRow): Promise<AdoptedPhoto> {
  const { storage } = ctx
  const name = basename(key)
  const staged = await writeStaged(storage, await storage.openStream(key))
  try {
    const { [staged.contentHash]: photoId } = await findKnownContents(ctx, event.id, [staged.contentHash])
    if (photoId !== undefined) return { photoId, isNew: false }
    const file = { ...staged, clientName: name }
    const photo = await receivePhoto(ctx, { event, file, family: fileFamily(name), uploadedBy: 'import' })
    return { photoId: photo.id, isNew: true }
  } finally {
    await storage.discard(staged.path)
  }
}

export type QuarantinedOriginal = Quarantined & { eventId: number; quarantinedAt: number }

/** Lists quarantined originals only: derived files can be made again. */
export async function* listAdoptable({ storage }: AppContext): AsyncIterable<QuarantinedOriginal> {
  for await (const { key, sizeBytes, modifiedAt } of storage.listQuarantined()) {
    const [, eventId] = /^events\/(\d+)\/originals\/[^/]+$/.exec(key) ?? []
    if (eventId) yield { key, eventId: Number(eventId), sizeBytes, quarantinedAt: modifiedAt }
  }
}
