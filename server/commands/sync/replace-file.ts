import { randomBytes } from 'node:crypto'
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { type FilePlace, type OpenFolder, withParentFolder } from '../../platform/storage/untrusted-files.ts'
import { t } from '../../platform/text/command-messages.ts'

/** Whether a killed command has left this file behind. */
export const isUnfinished = (name: string): boolean => /^\.[0-9a-f]{12}\.proofroom-part$/.test(name)

/**
 * Gives the file the content that `write` writes. At any time, the file is complete: either the old or the new version.
 * It keeps its permissions; a new file gets `mode`. A link in its place is replaced, not followed. Throws errors of the
 * file system and of `write`, UnsafeFile, and EACCES for a write-protected file.
 */
export function replaceFile(
  place: FilePlace,
  mode: number,
  write: (file: FileHandle) => Promise<void>,
  { createsFolder = false } = {},
): Promise<void> {
  const replace = async (folder: OpenFolder, name: string | Buffer) => {
    const existing = await lstat(folder.at(name)).catch(() => null)
    if (existing && (existing.mode & 0o200) === 0) {
      throw Object.assign(new Error(t('fileProtected')), { code: 'EACCES' })
    }
    const temporary = folder.at(`.${randomBytes(6).toString('hex')}.proofroom-part`)
    try {
      await writeNew(temporary, existing?.isFile() ? existing.mode & 0o777 : mode, write)
      await rename(temporary, folder.at(name))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }
  return withParentFolder(place, replace, { creates: createsFolder })
}

async function writeNew(path: Buffer, mode: number, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'wx+', 0o600)
  try {
    // Some network drives have no permissions.
    await file.chmod(mode).catch(() => undefined)
    await write(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Stores the first version of a sidecar beside it, under a hidden name, so that no program takes it for a sidecar. Does
 * nothing if there is one. Throws errors of the file system and UnsafeFile.
 */
export const keepFirstVersion = (place: FilePlace, bytes: Buffer): Promise<void> =>
  withParentFolder(place, async (folder, name) => {
    const backup = folder.at(`.${name}.before-proofroom`)
    const copy = folder.at(`.${name}.before-proofroom.${randomBytes(4).toString('hex')}`)
    const existing = await lstat(folder.at(name)).catch(() => null)
    try {
      await writeNew(copy, (existing?.mode ?? 0o600) & 0o777, (file) => file.writeFile(bytes))
      // Fails if there is a backup: only the first version is kept.
      await link(copy, backup).catch((error) => (error.code === 'EEXIST' ? undefined : rename(copy, backup)))
    } finally {
      await rm(copy, { force: true })
    }
  })

/** Stores the XMP packet that a picture had before the first change, or an empty file for a picture without one. */
export const keepFirstPacket = ({ root, path }: { root: string; path: string }, packet: Buffer): Promise<void> =>
  keepFirstVersion({ root, path: `${path}.xmp` }, packet)
