import { readFile, stat } from 'node:fs/promises'
import { RejectedXmp } from '../../platform/xmp/rejected-xmp.ts'
import { maxXmpBytes } from '../../platform/xmp/xmp-encoding.ts'
import { changePacket, type FileMarks, type MarkChange, newSidecar, readFileMarks } from './file-marks.ts'
import { keepFirstVersion, replaceFile } from './replace-file.ts'

/** Throws RejectedXmp and errors of the file system. */
export const readSidecar = async (path: string): Promise<FileMarks> => readFileMarks(await readBounded(path))

/** Returns the message of a rejected file or of the file system. Throws any other error. */
export function describeFileError(error: unknown): string {
  if (error instanceof RejectedXmp) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  return message
}

/**
 * Writes marks into a sidecar, or makes one with the permissions of the file `of`. The first version of a sidecar is kept
 * beside it. Returns false if the file has the marks already. Throws RejectedXmp and errors of the file system.
 */
export async function writeSidecar(
  path: string,
  change: MarkChange,
  { isDryRun, of }: { isDryRun: boolean; of: string },
): Promise<boolean> {
  const existing = await readBounded(path).catch((error) => (error.code === 'ENOENT' ? null : Promise.reject(error)))
  const changed = changePacket(existing ?? newSidecar, change)
  if (changed === null) return false
  if (isDryRun) return true
  if (existing) await keepFirstVersion(path)
  await replaceFile(path, of, (file) => file.writeFile(changed))
  return true
}

async function readBounded(path: string): Promise<Buffer> {
  const { size } = await stat(path)
  if (size > maxXmpBytes) throw new RejectedXmp('size', 'The file is larger than 4 MB.')
  return readFile(path)
}
