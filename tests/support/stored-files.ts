import { readdirSync } from 'node:fs'
import { chmod, link, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { bucketOf } from './back-ends.ts'
import { fileInBucket, filesInBucket } from './stored-objects.ts'

/** A service, or the configuration of an app context. */
type DataPlace = { dataDir: string }

/** A stored file, as an outsider with rights to the disk or the bucket would tamper with it. */
export type StoredFile = {
  read: () => Promise<Buffer>
  write: (bytes: Buffer | string) => Promise<unknown>
  /** Cuts it short, or has it end in zeroes. */
  resize: (sizeBytes: number) => Promise<unknown>
  remove: () => Promise<unknown>
  /** Puts in its place what is no file. */
  becomeFolder: () => Promise<unknown>
  /** Lets nobody read it, where files have such rights. */
  lock: () => Promise<unknown>
  copyTo: (names: readonly string[]) => Promise<unknown>
}

/** By its name among `storedFiles`. */
export function storedFile(place: DataPlace, name: string): StoredFile {
  const bucket = bucketOf(place.dataDir)
  if (bucket) return fileInBucket(bucket, name)
  const path = pathOnDisk(place, name)
  return {
    read: () => readFile(path),
    write: (bytes) => writeFile(path, bytes),
    resize: (sizeBytes) => truncate(path, sizeBytes),
    remove: () => rm(path, { recursive: true, force: true }),
    becomeFolder: () => rm(path).then(() => mkdir(path)),
    lock: () => chmod(path, 0),
    copyTo: (names) => Promise.all(names.map((copy) => link(path, pathOnDisk(place, copy)))),
  }
}

/** Where it lies, unless in a bucket. */
export const pathOnDisk = ({ dataDir }: DataPlace, name: string): string => join(dataDir, 'media', name)

/**
 * Every file below the media folder, staging and the lost-and-found included; what is in a bucket has the name it would
 * have there.
 */
export async function storedFiles(place: DataPlace): Promise<string[]> {
  const bucket = bucketOf(place.dataDir)
  const root = pathOnDisk(place, '')
  // Asynchronously the same takes ten times as long.
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const onDisk = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const inBucket = bucket ? await filesInBucket(bucket) : []
  return [...onDisk.map((path) => relative(root, path)), ...inBucket].sort()
}
