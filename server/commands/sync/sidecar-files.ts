import { lstat } from 'node:fs/promises'
import { type FilePlace, readBounded, UnsafeFile, withParentFolder } from '../../platform/storage/untrusted-files.ts'
import { RejectedXmp } from '../../platform/xmp/rejected-xmp.ts'
import { maxXmpBytes } from '../../platform/xmp/xmp-encoding.ts'
import { changePacket, type FileMarks, type MarkChange, newSidecar, readFileMarks } from './file-marks.ts'
import { keepFirstVersion, replaceFile } from './replace-file.ts'

/** Throws RejectedXmp, UnsafeFile and errors of the file system. */
export const readSidecar = async (place: FilePlace): Promise<FileMarks> =>
  readFileMarks(await readBounded(place, maxXmpBytes))

/** Returns the message of a rejected file or of the file system. Throws any other error. */
export function describeFileError(error: unknown): string {
  if (error instanceof RejectedXmp || error instanceof UnsafeFile) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  return message
}

/**
 * Writes marks into a sidecar, or makes one with the permissions of the file `of`. The first version of a sidecar is kept
 * beside it. Returns false if the file has the marks already. Throws RejectedXmp, UnsafeFile and errors of the file system.
 */
export async function writeSidecar(
  place: FilePlace,
  change: MarkChange,
  { isDryRun, of }: { isDryRun: boolean; of: FilePlace },
): Promise<boolean> {
  const existing = await readBounded(place, maxXmpBytes).catch((error) =>
    error.code === 'ENOENT' ? null : Promise.reject(error),
  )
  const changed = changePacket(existing ?? newSidecar, change)
  if (changed === null) return false
  if (isDryRun) return true
  if (existing) await keepFirstVersion(place, existing)
  const { mode } = await withParentFolder(of, (folder, name) => lstat(folder.at(name)))
  await replaceFile(place, (mode & 0o666) | 0o600, (file) => file.writeFile(changed))
  return true
}
