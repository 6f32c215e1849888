import type { Dirent } from 'node:fs'
import { type FileHandle, readdir } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { must } from '../../../contract/must.ts'
import { openRegularFile } from '../../platform/storage/untrusted-files.ts'
import { hashPath, isIgnored, toDisplayPath } from './import-rules.ts'
import { FileUnreadable, type ImportSource, type WaitingFile } from './import-source.ts'
import {
  type FoundFile,
  hasSameStats,
  isUnchangedFile,
  joinPath,
  type LeftOutCause,
  listWaitingFiles,
  type Segments,
} from './list-waiting-files.ts'
import { moveAway } from './move-away.ts'

const readAtOnceBytes = 2 ** 20

/**
 * A local folder with a subfolder for each event. Imported files are moved to `root/.imported`, rejected files to
 * `root/.refused`.
 */
export const folderSource = (root: string): ImportSource => ({
  kind: 'folder',
  isAtomic: false,

  listFolders: () => listNames(root, (entry) => entry.isDirectory()),
  listStrays: () => listNames(root, (entry) => !entry.isDirectory()),

  async *listFiles(folder, onLeftOut) {
    const base = Buffer.from(root)
    const report = (segments: Segments, cause: LeftOutCause) => onLeftOut(displayPathOf(segments), cause)
    const files = listWaitingFiles(base, [Buffer.from(folder)], report)
    for await (const found of files) yield createWaitingFile(base, found)
  },
  close: () => undefined,
})

async function listNames(root: string, isListed: (entry: Dirent) => boolean): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  return entries.filter((entry) => isListed(entry) && !isIgnored(entry.name)).map(({ name }) => name)
}

function createWaitingFile(root: Buffer, { segments, stats }: FoundFile): WaitingFile {
  const path = joinPath(root, segments)
  return {
    digest: hashPath('folder', joinPath(Buffer.alloc(0), segments)),
    path: displayPathOf(segments),
    name: must(segments.at(-1), 'a file name').toString(),
    folder: segments.length > 2 ? (segments[1]?.toString() ?? null) : null,
    sizeBytes: stats.size,
    modifiedAt: Math.floor(stats.mtimeMs),
    open: (signal) => openListedFile(root, { segments, stats }, signal),
    isUnchanged: () => isUnchangedFile(path, stats),
    moveAway: (to) => moveAway({ root, segments, stats }, to),
  }
}

const displayPathOf = (segments: Segments): string => toDisplayPath(segments.map(String))

/** Opens only the listed file. Throws FileUnreadable. */
async function openListedFile(root: Buffer, { segments, stats }: FoundFile, signal: AbortSignal): Promise<Readable> {
  let handle: FileHandle | undefined
  try {
    handle = await openRegularFile({ root, path: segments })
    if (!hasSameStats(await handle.stat(), stats)) throw new Error('Another file has replaced the listed one')
  } catch (cause) {
    await handle?.close()
    throw new FileUnreadable({ cause })
  }
  // Reads at most one byte more than the listed size, which is enough to detect that the file has grown.
  return handle.createReadStream({ start: 0, end: stats.size, highWaterMark: readAtOnceBytes, signal })
}
