import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { digestOf, isPassedOver, shownPath } from './import-rules.ts'
import { FileUnreadable, type ImportSource, type WaitingFile } from './import-source.ts'
import { type FoundFile, isSame, isSameFile, listWaiting, pathOf, type Segments } from './list-waiting.ts'
import { moveAway } from './move-away.ts'

const readAtOnceBytes = 2 ** 20

/** A folder on this machine with a folder for each event. What has been taken goes to `.imported` in it. */
export const folderSource = (root: string): ImportSource => ({
  kind: 'folder',
  isAtomic: false,

  async listFolders() {
    const entries = await readdir(root, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory() && !isPassedOver(entry.name)).map(({ name }) => name)
  },

  async listStrays() {
    const entries = await readdir(root, { withFileTypes: true })
    return entries.filter((entry) => !entry.isDirectory() && !isPassedOver(entry.name)).map(({ name }) => name)
  },

  async *listFiles(folder, tellUnreadable) {
    const [base, tell] = [Buffer.from(root), (segments: Segments) => tellUnreadable(shown(segments))]
    for await (const found of listWaiting(base, [Buffer.from(folder)], tell)) yield waitingFile(base, found)
  },
  close: () => undefined,
})

/** `segments`: below the root; the first is the event's folder. */
export function waitingFile(root: Buffer, { segments, stats }: FoundFile): WaitingFile {
  const path = pathOf(root, segments)
  return {
    digest: digestOf('folder', pathOf(Buffer.alloc(0), segments)),
    path: shown(segments),
    name: segments.at(-1)?.toString() ?? '',
    folder: segments.length > 2 ? (segments[1]?.toString() ?? null) : null,
    sizeBytes: stats.size,
    modifiedAt: timeOf(stats),
    open: (signal) => openFound(root, { segments, stats }, signal),
    isUnchanged: () => isSame(path, stats),
    moveAway: (to) => moveAway({ root, segments, stats }, to),
  }
}

const shown = (segments: Segments): string => shownPath(segments.map(String))

const timeOf = ({ mtimeMs }: Stats): number => Math.floor(mtimeMs)

/**
 * Opens the very file that was listed and no other: no symbolic link, wherever in its path somebody has put one
 * meanwhile, and no pipe that nobody writes into.
 */
async function openFound(root: Buffer, { segments, stats }: FoundFile, signal: AbortSignal): Promise<Readable> {
  const path = pathOf(root, segments)
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  let handle: FileHandle | undefined
  try {
    handle = await open(path, flags)
    const expected = pathOf(await realpath(root, { encoding: 'buffer' }), segments)
    const isAsListed = expected.equals(await realpath(path, { encoding: 'buffer' }))
    if (!isAsListed || !isSameFile(await handle.stat(), stats)) throw new Error('Another file stands there')
  } catch (cause) {
    await handle?.close()
    throw new FileUnreadable({ cause })
  }
  // One byte more than there was: it shows that the file has grown, and no more of it is read.
  return handle.createReadStream({ start: 0, end: stats.size, highWaterMark: readAtOnceBytes, signal })
}
