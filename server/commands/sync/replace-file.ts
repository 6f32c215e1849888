import { randomBytes } from 'node:crypto'
import { copyFile, type FileHandle, constants as fsConstants, link, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Of files that a killed command has left behind. */
export const isUnfinished = (name: string): boolean => /^\.[0-9a-f]{12}\.proofroom-part$/.test(name)

/**
 * Gives the file the content that `write` writes. At any time, the file is whole: either the old or the new version. It
 * keeps its permissions; a new file gets those of `like`. Throws errors of the file system and of `write`, and EACCES for a
 * write-protected file.
 */
export async function replaceFile(
  path: string,
  like: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.proofroom-part`)
  const existing = await stat(path).catch(() => null)
  if (existing && (existing.mode & 0o200) === 0) {
    throw Object.assign(new Error('The file is write-protected.'), { code: 'EACCES' })
  }
  const mode = existing ? existing.mode & 0o777 : ((await stat(like)).mode & 0o666) | 0o600
  try {
    const file = await open(temporary, 'wx+', 0o600)
    try {
      // Some network drives have no permissions.
      await file.chmod(mode).catch(() => undefined)
      await write(file)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Hidden, so that no program takes it for a sidecar or a picture. */
const backupPath = (path: string): string => join(dirname(path), `.${basename(path)}.before-proofroom`)

/** Copies the file, unless its first version has been kept already. */
export const keepFirstVersion = (path: string): Promise<void> =>
  keepFirst(backupPath(path), (copy) => copyFile(path, copy, fsConstants.COPYFILE_EXCL))

/** Stores the XMP packet that a picture had before the first change, or an empty file for a picture without one. */
export const keepFirstPacket = (path: string, packet: Buffer): Promise<void> =>
  keepFirst(backupPath(`${path}.xmp`), async (copy) => {
    const file = await open(copy, 'wx')
    await file.writeFile(packet).finally(() => file.close())
  })

async function keepFirst(backup: string, make: (copy: string) => Promise<void>): Promise<void> {
  const copy = `${backup}.${randomBytes(4).toString('hex')}`
  try {
    await make(copy)
    const file = await open(copy, 'r')
    await file.sync().finally(() => file.close())
    // Fails if there is a backup: only the first version is kept.
    await link(copy, backup).catch((error) => (error.code === 'EEXIST' ? undefined : rename(copy, backup)))
  } finally {
    await rm(copy, { force: true })
  }
}
