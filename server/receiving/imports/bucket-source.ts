import type { Readable } from 'node:stream'
import { must } from '../../../contract/must.ts'
import type { S3Config } from '../../platform/configuration/config.ts'
import { S3Objects } from '../../platform/storage/s3-objects.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import { candidateNames, hashPath, isIgnored, toDisplayPath } from './import-rules.ts'
import {
  type Destination,
  FileUnreadable,
  type ImportSource,
  type MoveOutcome,
  type WaitingFile,
} from './import-source.ts'

const waitingFolder = 'imports'
const targetFolder = (to: Destination): string => (to === 'imported' ? 'imported' : 'refused')

/** An object as it was listed. `segments`: the parts of the key below `imports/`, first the folder of the event. */
type ListedObject = { key: string; segments: string[]; etag: string; sizeBytes: number; modifiedAt: number }

/**
 * Imports objects below `imports/` in the bucket. They are moved to `imported/`, or to `refused/` if they are rejected.
 */
export function bucketSource(s3: S3Config): ImportSource {
  const objects = new S3Objects(s3)
  return {
    kind: 'bucket',
    isAtomic: true,
    listFolders: async () => (await objects.listFolders(waitingFolder)).filter((folder) => !isIgnored(folder)),

    // To find objects outside of folders, each scan would need another listing.
    listStrays: async () => [],

    async *listFiles(folder) {
      for await (const found of objects.list(`${waitingFolder}/${folder}`)) {
        const segments = found.key.split('/').slice(1)
        if (isFileKey(segments)) yield createWaitingObject(objects, { ...found, segments })
      }
    },
    close: () => objects.close(),
  }
}

/** Consoles of object stores create empty objects for folders, with keys that end with a slash. */
const isFileKey = (segments: string[]): boolean => segments.every((segment) => segment !== '' && !isIgnored(segment))

function createWaitingObject(objects: S3Objects, listedObject: ListedObject): WaitingFile {
  const { key, segments, etag, sizeBytes, modifiedAt } = listedObject
  return {
    digest: hashPath('bucket', key),
    path: toDisplayPath(segments),
    name: must(segments.at(-1), 'a file name'),
    folder: segments.length > 2 ? (segments[1] ?? null) : null,
    sizeBytes,
    modifiedAt,
    open: (signal) => openObject(objects, listedObject, signal),
    isUnchanged: async () => (await objects.findEtag(key)) === etag,
    moveAway: (to) => moveObject(objects, listedObject, to),
  }
}

async function openObject(objects: S3Objects, { key, etag }: ListedObject, signal: AbortSignal): Promise<Readable> {
  const found = await objects.get(key, undefined, etag).catch((cause) => {
    throw cause instanceof FileMissing ? new FileUnreadable({ cause }) : cause
  })
  if (!found) throw new FileUnreadable()
  signal.addEventListener('abort', () => found.body.destroy(signal.reason), { once: true })
  return found.body
}

/** After a crash between copy and deletion, the object is copied again. An object that cannot be copied stays. */
async function moveObject(
  objects: S3Objects,
  { key, segments, etag }: ListedObject,
  to: Destination,
): Promise<MoveOutcome> {
  if ((await objects.findEtag(key)) !== etag) return 'changed'
  const target = await findFreeKey(objects, [targetFolder(to), ...segments], etag)
  try {
    if (!(await objects.copy(key, target))) {
      await objects.remove(target)
      return 'kept'
    }
  } catch (error) {
    if (error instanceof FileMissing) return 'changed'
    throw error
  }
  if (to !== 'imported') await objects.putText(`${target}.txt`, `${to.rejectionReason}\n`)
  if ((await objects.findEtag(key)) !== etag) return 'changed'
  await objects.remove(key)
  return 'moved'
}

/** A key with an equal object (the same ETag) counts as free: after a crash, that object may be a copy of this one. */
async function findFreeKey(objects: S3Objects, segments: string[], etag: string): Promise<string> {
  const folder = segments.slice(0, -1).join('/')
  for (const name of candidateNames(must(segments.at(-1), 'a file name'))) {
    const key = `${folder}/${name}`
    const existing = await objects.findEtag(key)
    if (existing === null || existing === etag) return key
  }
  throw new Error('No key is free')
}
