import { readdirSync } from 'node:fs'
import { chmod, link, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { getBucket } from '../service/back-ends.ts'
import { createBucketFile, listBucketFiles } from './stored-objects.ts'

/** A service, or the configuration of an app context. */
type DataLocation = { dataDir: string }

/** A stored file that a test changes on the disk or in the bucket. */
export type StoredFile = {
  read: () => Promise<Buffer>
  write: (bytes: Buffer | string) => Promise<unknown>
  /** Truncates the file, or extends it with zeros. */
  resize: (sizeBytes: number) => Promise<unknown>
  remove: () => Promise<unknown>
  /** Replaces the file with a folder. */
  replaceWithFolder: () => Promise<unknown>
  /** Makes the file unreadable. Does nothing in a bucket. */
  lock: () => Promise<unknown>
  copyTo: (names: readonly string[]) => Promise<unknown>
}

/** `name` is a name that `listStoredFiles` returns. With a bucket, it must name a file in the bucket. */
export function openStoredFile(place: DataLocation, name: string): StoredFile {
  const bucket = getBucket(place.dataDir)
  if (bucket) return createBucketFile(bucket, name)
  const path = getPathOnDisk(place, name)
  return {
    read: () => readFile(path),
    write: (bytes) => writeFile(path, bytes),
    resize: (sizeBytes) => truncate(path, sizeBytes),
    remove: () => rm(path, { recursive: true, force: true }),
    replaceWithFolder: () => rm(path).then(() => mkdir(path)),
    lock: () => chmod(path, 0),
    copyTo: (names) => Promise.all(names.map((copy) => link(path, getPathOnDisk(place, copy)))),
  }
}

/** Only for files that are not in a bucket. */
export const getPathOnDisk = ({ dataDir }: DataLocation, name: string): string => join(dataDir, 'media', name)

/**
 * Returns the names of all files below the media folder and, if there is one, in the bucket, including staging and
 * quarantine.
 */
export async function listStoredFiles(place: DataLocation): Promise<string[]> {
  const bucket = getBucket(place.dataDir)
  const root = getPathOnDisk(place, '')
  // The asynchronous version is several times slower.
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const onDisk = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const inBucket = bucket ? await listBucketFiles(bucket) : []
  return [...onDisk.map((path) => relative(root, path)), ...inBucket].sort()
}
