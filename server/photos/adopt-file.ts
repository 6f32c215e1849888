import { basename } from 'node:path'
import type { EventRow } from '../events/event-rows.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import type { AppContext } from '../settings/app-context.ts'
import { familyOf } from '../settings/file-type-rules.ts'
import { findKnown } from './find-known.ts'
import { receivePhoto } from './receive-photo.ts'

/** The photo of an adopted file; not a new one where the event had one of the same content already. */
export type Adopted = { photoId: number; isNew: boolean }

type SetAside = { key: string; sizeBytes: number }

/**
 * Makes a photo of a file that was set aside, by the one door of all photos; its name is the one it was stored under. The
 * file is used up then. When it is refused, or when the process dies, it is among those set aside again, at the latest
 * with the next sweep. Throws FileMissing, StorageFull and what `receivePhoto` throws.
 */
export async function adoptFile(ctx: AppContext, { key, sizeBytes }: SetAside, event: EventRow): Promise<Adopted> {
  const { storage } = ctx
  await storage.ensureSpaceFor(sizeBytes)
  await storage.bringBack(key)
  try {
    const adopted = await receiveAgain(ctx, key, event)
    await storage.remove(key)
    return adopted
  } catch (error) {
    await storage.setAside(key)
    throw error
  }
}

async function receiveAgain(ctx: AppContext, key: string, event: EventRow): Promise<Adopted> {
  const { storage } = ctx
  const name = basename(key)
  const staged = await writeStaged(storage, await storage.openStream(key))
  try {
    const { [staged.contentHash]: photoId } = await findKnown(ctx, event.id, [staged.contentHash])
    if (photoId !== undefined) return { photoId, isNew: false }
    const file = { ...staged, clientName: name }
    const photo = await receivePhoto(ctx, { event, file, family: familyOf(name), uploadedBy: 'import' })
    return { photoId: photo.id, isNew: true }
  } finally {
    await storage.discard(staged.path)
  }
}

export type SetAsideOriginal = SetAside & { eventId: number; setAsideAt: number }

/** What can be adopted: originals; whatever was made of them is made again. */
export async function* listAdoptable({ storage }: AppContext): AsyncIterable<SetAsideOriginal> {
  for await (const { key, sizeBytes, modifiedAt } of storage.listSetAside()) {
    const [, eventId] = /^events\/(\d+)\/originals\/[^/]+$/.exec(key) ?? []
    if (eventId) yield { key, eventId: Number(eventId), sizeBytes, setAsideAt: modifiedAt }
  }
}
