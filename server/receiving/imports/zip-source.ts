import type { OpenZip, ZipEntry } from '../../archives/read-zip.ts'
import { hashPath, isIgnored, toDisplayPath } from './import-rules.ts'
import { FileUnreadable, type ImportSource, type WaitingFile } from './import-source.ts'

type ZipFolders = {
  /** All files count as being in a folder of this name. A folder of the ZIP that contains all of them is dropped. */
  wrapper: string | null
  isUnchanged: () => Promise<boolean>
}

type Listed = { entry: ZipEntry; segments: string[] }

/** Imports the files of a ZIP, which does not change. */
export function zipSource(zip: OpenZip, { wrapper, isUnchanged }: ZipFolders): ImportSource {
  const all = zip.entries
    .map((entry) => ({ entry, segments: entry.name.split('/').filter((segment) => segment !== '' && segment !== '.') }))
    .filter(({ segments }) => segments.length > 0 && !segments.some(isIgnored))
  const listed = wrapper === null ? all : withoutCommonFolder(all).map((one) => wrap(one, wrapper))
  const inFolders = listed.filter(({ segments }) => segments.length > 1)
  return {
    kind: 'zip',
    isAtomic: true,
    listFolders: async () => [...new Set(inFolders.map(({ segments }) => segments[0] ?? ''))],
    listStrays: async () => listed.flatMap(({ segments }) => (segments.length === 1 ? segments : [])),
    async *listFiles(folder) {
      for (const one of inFolders) if (one.segments[0] === folder) yield createWaitingEntry(one, isUnchanged)
    },
    close: () => zip.close(),
  }
}

const wrap = ({ entry, segments }: Listed, wrapper: string): Listed => ({ entry, segments: [wrapper, ...segments] })

/** Most programs put everything into one folder. It would be the only category, and hide the folders in it. */
function withoutCommonFolder(listed: Listed[]): Listed[] {
  const [first] = listed[0]?.segments ?? []
  const isCommon = listed.every(({ segments }) => segments.length > 1 && segments[0] === first)
  const hasFolders = listed.some(({ segments }) => segments.length > 2)
  if (!isCommon || !hasFolders) return listed
  return listed.map(({ entry, segments }) => ({ entry, segments: segments.slice(1) }))
}

const createWaitingEntry = ({ entry, segments }: Listed, isUnchanged: () => Promise<boolean>): WaitingFile => ({
  digest: hashPath('zip', entry.name),
  path: toDisplayPath(segments),
  name: segments.at(-1) ?? '',
  folder: segments.length > 2 ? (segments[1] ?? null) : null,
  sizeBytes: entry.sizeBytes,
  crc32: entry.crc32,
  modifiedAt: entry.modifiedAt,
  async open(signal) {
    const stream = await entry.open().catch((cause) => {
      throw new FileUnreadable({ cause })
    })
    signal.addEventListener('abort', () => stream.destroy(signal.reason), { once: true })
    return stream
  },
  isUnchanged,
  moveAway: async () => 'kept',
})
