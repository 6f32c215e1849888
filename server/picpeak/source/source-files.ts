import { realpath } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { type OpenZip, openZip } from '../../archives/read-zip.ts'
import { type FilePlace, openRegularFile, withRegularFile } from '../../platform/storage/untrusted-files.ts'
import { t } from '../../platform/text/command-messages.ts'
import { describeDenied } from './denied-access.ts'
import { SourceUnusable } from './source-database.ts'

export type SourceFile = {
  /** Where it is on the disk; null for a file inside a ZIP or in a bucket. */
  place: FilePlace | null
  sizeBytes: number
  /** The checksum of the content, if it is known. */
  crc32: number | null
  open: () => Promise<Readable>
}

/** The storage folder of another installation. It is only read. */
export type SourceFiles = {
  /**
   * `path` is relative to the folder. Returns null if there is no such file, if this user cannot read it, or if it is
   * outside of the folder, a link, or behind a link.
   */
  find: (path: string) => Promise<SourceFile | null>
  /** Returns the files of a ZIP by name, or null if there is no ZIP that can be read. */
  openZip: (path: string) => Promise<SourceZip | null>
  /** Returns why the user cannot read a file that was not found; null if it may be missing. Absent outside of a disk. */
  describeDenied?: (path: string) => string | null
  close: () => void
}

export type SourceZip = {
  files: ReadonlyMap<string, SourceFile>
  close: () => void
}

/** Throws SourceUnusable. */
export async function openSourceFolder(folder: string): Promise<SourceFiles> {
  const root = await realpath(folder).catch(() => null)
  const denied = describeDenied(root ?? folder)
  if (denied !== null) throw new SourceUnusable(denied)
  if (root === null) throw new SourceUnusable(t('noSourceFolder', { folder }))

  const placeOf = (path: string): FilePlace => ({ root, path: posix.join(path) })

  return {
    find(path) {
      const place = placeOf(path)
      const open = async () => (await openRegularFile(place)).createReadStream()
      return withRegularFile(place, async (file) => {
        const { size } = await file.stat()
        return { place, sizeBytes: size, crc32: null, open }
      }).catch(() => null)
    },
    openZip: (path) =>
      withRegularFile(placeOf(path), (_file, opened) => openZip(opened).then(toSourceZip)).catch(() => null),
    describeDenied(path) {
      const full = join(root, path)
      return path.includes('\0') || !full.startsWith(root + sep) ? null : describeDenied(full, root)
    },
    close: () => undefined,
  }
}

export const toSourceZip = ({ entries, close }: OpenZip): SourceZip => ({
  files: new Map(entries.map(({ name, ...entry }) => [name, { place: null, ...entry }])),
  close,
})

/** Searches `second` for files that `first` does not have. */
export const joinFiles = (first: SourceFiles, second: SourceFiles): SourceFiles => ({
  find: async (path) => (await first.find(path)) ?? second.find(path),
  openZip: async (path) => (await first.openZip(path)) ?? second.openZip(path),
  describeDenied: (path) => first.describeDenied?.(path) ?? second.describeDenied?.(path) ?? null,
  close() {
    first.close()
    second.close()
  },
})
