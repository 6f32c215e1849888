import { createStore, delMany, entries, getMany, keys, set, setMany } from 'idb-keyval'
import type { UploadSession } from '../../shared/uploads/send-file.ts'
import type { EntryCategory } from './upload-entries.ts'

/** What is remembered of a file that is not in its event yet, for when the page is closed before it is. */
export type KeptFile = {
  eventId: number
  userId: number
  /** Of the page that it was chosen in. */
  queue: string
  /** Name, size and time: what the same file has when it is chosen again. */
  key: string
  size: number
  category: EntryCategory
  hash: string | null
  session: UploadSession | null
  keptAt: number
}

/** What a page left behind that was closed too early; whether the browser can open its folders again. */
export type Interrupted = { files: KeptFile[]; hasHandles: boolean }

const files = createStore('proofroom-uploads', 'files')
const handles = createStore('proofroom-upload-folders', 'handles')

/** Of this page. */
const queue = crypto.getRandomValues(new Uint32Array(2)).join('-')
const lockOf = (name: string): string => `proofroom-upload ${name}`
const maxDays = 7
/** For each of more the browser would have to ask. */
const maxHandles = 50

let isHeld = false

/** Another window that is still at work on its files is known by its lock. */
function holdQueue(): void {
  if (isHeld) return
  isHeld = true
  void navigator.locks?.request(lockOf(queue), () => new Promise(() => undefined))
}

const recordKey = ({ eventId, key }: Pick<KeptFile, 'eventId' | 'key'>): string => `${eventId}/${key}`
/** Where nothing may be kept, a reload begins anew. */
const orNot = (kept: Promise<unknown>): void => void kept.catch(() => undefined)

export function keepFiles(kept: ReadonlyArray<Omit<KeptFile, 'queue' | 'keptAt'>>): void {
  holdQueue()
  const own = kept.map((one): KeptFile => ({ ...one, queue, keptAt: Date.now() }))
  orNot(
    setMany(
      own.map((one) => [recordKey(one), one]),
      files,
    ),
  )
}

export function forgetFiles(gone: ReadonlyArray<Pick<KeptFile, 'eventId' | 'key'>>): void {
  if (gone.length > 0) orNot(delMany(gone.map(recordKey), files))
}

/** Folders and files that the browser can open again, once it is allowed to. */
export function keepHandles(eventId: number, kept: readonly FileSystemHandle[]): void {
  for (const handle of kept.slice(0, maxHandles)) orNot(set(`${eventId}/${handle.name}`, handle, handles))
}

/** Also those of other pages, once none of their files is left. */
export function forgetHandles(eventId: number): void {
  orNot(handleKeys(eventId).then((names) => delMany(names, handles)))
}

export const keptHandles = async (eventId: number): Promise<FileSystemHandle[]> =>
  (await getMany<FileSystemHandle>(await handleKeys(eventId), handles)).filter((handle) => handle !== undefined)

const handleKeys = async (eventId: number): Promise<string[]> =>
  (await keys<string>(handles)).filter((key) => key.startsWith(`${eventId}/`))

/**
 * Files of an event that a page of this account was closed ahead of; null where there are none. `whenLeft` is called once a
 * window that is still at work on others has been closed.
 */
export async function findInterrupted(
  eventId: number,
  userId: number,
  whenLeft: () => void,
): Promise<Interrupted | null> {
  try {
    const all = (await entries<string, KeptFile>(files)).map(([, file]) => file)
    const oldest = Date.now() - maxDays * 86_400_000
    forgetFiles(all.filter(({ keptAt }) => keptAt < oldest))
    const own = all.filter(
      (file) => file.eventId === eventId && file.userId === userId && file.keptAt >= oldest && file.queue !== queue,
    )
    const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name))
    const left = own.filter((file) => !held.has(lockOf(file.queue)))
    for (const name of new Set(own.map((file) => lockOf(file.queue)))) {
      if (held.has(name)) void navigator.locks.request(name, { mode: 'shared' }, whenLeft)
    }
    return left.length > 0 ? { files: left, hasHandles: (await handleKeys(eventId)).length > 0 } : null
  } catch {
    return null
  }
}
