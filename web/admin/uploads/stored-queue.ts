import { createStore, delMany, entries, getMany, keys, set, setMany } from 'idb-keyval'
import { createRandomId } from '../../shared/create-random-id.ts'
import type { UploadSession } from '../../shared/uploads/send-file.ts'
import type { UploadBatch } from '../../shared/uploads/upload-batches.ts'
import type { EntryCategory } from './upload-entries.ts'

export type QueuedFile = {
  eventId: number
  userId: number
  /** The id of the page that added the file. */
  queue: string
  /** Name, size and modification time, to recognize the file when it is selected again. */
  key: string
  size: number
  category: EntryCategory
  hash: string | null
  session: UploadSession | null
  /** Missing in records of earlier versions. */
  replaces?: number | null
  /** Missing in records of earlier versions. */
  batch?: UploadBatch
  keptAt: number
}

/** Uploads that a closed page left incomplete. `hasHandles`: folder handles of the event are stored. */
export type Interrupted = { files: QueuedFile[]; hasHandles: boolean }

const files = createStore('proofroom-uploads', 'files')
const handles = createStore('proofroom-upload-folders', 'handles')

const queue = createRandomId()
const getLockName = (name: string): string => `proofroom-upload ${name}`
const maxDays = 7
/** Limited, because the browser asks the operator for permission for each handle. */
const maxHandles = 50

let isLocked = false

/** Holds a Web Lock while the page is open, so that other windows do not offer its uploads for resuming. */
function lockQueue(): void {
  if (isLocked) return
  isLocked = true
  void navigator.locks?.request(getLockName(queue), () => new Promise(() => undefined))
}

const recordKey = ({ eventId, key }: Pick<QueuedFile, 'eventId' | 'key'>): string => `${eventId}/${key}`
/** An error has only one effect: the uploads cannot be resumed after a reload. */
const ignoreErrors = (operation: Promise<unknown>): void => void operation.catch(() => undefined)

export function storeQueuedFiles(newFiles: ReadonlyArray<Omit<QueuedFile, 'queue' | 'keptAt'>>): void {
  lockQueue()
  const records = newFiles.map((one): QueuedFile => ({ ...one, queue, keptAt: Date.now() }))
  ignoreErrors(
    setMany(
      records.map((one) => [recordKey(one), one]),
      files,
    ),
  )
}

export function deleteQueuedFiles(gone: ReadonlyArray<Pick<QueuedFile, 'eventId' | 'key'>>): void {
  if (gone.length > 0) ignoreErrors(delMany(gone.map(recordKey), files))
}

export function storeHandles(eventId: number, kept: readonly FileSystemHandle[]): void {
  for (const handle of kept.slice(0, maxHandles)) ignoreErrors(set(`${eventId}/${handle.name}`, handle, handles))
}

/** Deletes the handles of the event, even those that other windows stored. */
export function deleteHandles(eventId: number): void {
  ignoreErrors(handleKeys(eventId).then((names) => delMany(names, handles)))
}

export const loadHandles = async (eventId: number): Promise<FileSystemHandle[]> =>
  (await getMany<FileSystemHandle>(await handleKeys(eventId), handles)).filter((handle) => handle !== undefined)

const handleKeys = async (eventId: number): Promise<string[]> =>
  (await keys<string>(handles)).filter((key) => key.startsWith(`${eventId}/`))

/**
 * Returns the uploads of this account to the event that closed pages left incomplete in the last 7 days; null if there
 * are none or the storage fails. Calls `onWindowClosed` when another window with such uploads closes.
 */
export async function findInterrupted(
  eventId: number,
  userId: number,
  onWindowClosed: () => void,
): Promise<Interrupted | null> {
  try {
    const all = (await entries<string, QueuedFile>(files)).map(([, file]) => file)
    const oldest = Date.now() - maxDays * 86_400_000
    deleteQueuedFiles(all.filter(({ keptAt }) => keptAt < oldest))
    const own = all.filter(
      (file) => file.eventId === eventId && file.userId === userId && file.keptAt >= oldest && file.queue !== queue,
    )
    const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name))
    const left = own.filter((file) => !held.has(getLockName(file.queue)))
    for (const name of new Set(own.map((file) => getLockName(file.queue)))) {
      if (held.has(name)) void navigator.locks.request(name, { mode: 'shared' }, onWindowClosed)
    }
    return left.length > 0 ? { files: left, hasHandles: (await handleKeys(eventId)).length > 0 } : null
  } catch {
    return null
  }
}
