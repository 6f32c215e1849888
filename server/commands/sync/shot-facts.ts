import { readCaptureTime } from '../../platform/media/capture-time.ts'
import { digestFile } from '../../platform/storage/content-digest.ts'
import { withRegularFile } from '../../platform/storage/untrusted-files.ts'
import type { FolderFile } from '../walk-folder.ts'
import { canEmbed, readEmbedded } from './embedded-files.ts'
import type { FileMarks } from './file-marks.ts'
import type { ShotFacts } from './match-shots.ts'
import type { Shot } from './shots.ts'
import { describeFileError, readSidecar } from './sidecar-files.ts'
import type { SyncState } from './sync-state.ts'

/** A file that can have marks: a sidecar, or a JPEG or DNG file. `found` is null for a picture without an XMP packet. */
export type MarkedFile = { file: FolderFile; isEmbedded: boolean; found: FileMarks | null }
export type RejectedFile = { path: string; reason: string }

export type KnownShot = Shot &
  ShotFacts & {
    markedSidecars: MarkedFile[]
    embedded: MarkedFile[]
    /** Sidecars that cannot be edited. */
    rejected: RejectedFile[]
    /** JPEG and DNG files that cannot be edited. */
    rejectedPictures: RejectedFile[]
  }

/** Names a photo of an event of a service, as a sidecar stores it. */
export const formatIdentity = (host: string, eventId: number, photoId: number): string =>
  `${host}/${eventId}/${photoId}`

function parseIdentity(identity: string | null, host: string, eventId: number): number[] {
  const prefix = `${host}/${eventId}/`
  const id = identity?.startsWith(prefix) ? Number(identity.slice(prefix.length)) : Number.NaN
  return Number.isSafeInteger(id) ? [id] : []
}

/** Reads the sidecars of a shot, and the XMP packets in its files. All else is read when it is needed. */
export async function learnShot(
  shot: Shot,
  { host, eventId, state }: { host: string; eventId: number; state: SyncState },
): Promise<KnownShot> {
  const sidecars = new Set(shot.sidecars.map(({ sidecar }) => sidecar))
  const files = [...shot.pictures, ...shot.raws]
  const [markedSidecars, rejected] = await readAll(sidecars, false, readSidecar)
  const embeddable = files.filter(({ path }) => canEmbed(path))
  const [embedded, rejectedPictures] = await readAll(embeddable, true, (file) => readEmbeddedOnce(file, state))
  const identities = [...markedSidecars, ...embedded].flatMap(({ found }) =>
    parseIdentity(found?.identity ?? null, host, eventId),
  )
  let times: Promise<number[]> | null = null
  return {
    ...shot,
    identities: [...new Set(identities)],
    markedSidecars,
    embedded,
    rejected,
    rejectedPictures,
    files: files.map((file) => ({ sizeBytes: file.sizeBytes, hash: () => hashOnce(file, state) })),
    captureTimes: () => {
      times ??= Promise.all(files.map((file) => readTimeOnce(file, state))).then((all) =>
        all.filter((time) => time !== null),
      )
      return times
    },
  }
}

async function readAll(
  files: Iterable<FolderFile>,
  isEmbedded: boolean,
  read: (file: FolderFile) => Promise<FileMarks | null>,
): Promise<[MarkedFile[], RejectedFile[]]> {
  const marked: MarkedFile[] = []
  const rejected: RejectedFile[] = []
  for (const file of files) {
    try {
      marked.push({ file, isEmbedded, found: await read(file) })
    } catch (error) {
      rejected.push({ path: file.path, reason: describeFileError(error) })
    }
  }
  return [marked, rejected]
}

async function readEmbeddedOnce(file: FolderFile, state: SyncState): Promise<FileMarks | null> {
  const facts = state.fileFacts(file)
  if (facts.embedded === undefined) facts.embedded = await readEmbedded(file)
  return facts.embedded
}

async function hashOnce(file: FolderFile, state: SyncState): Promise<string | null> {
  const facts = state.fileFacts(file)
  const hash = facts.hash ?? (await hashFile(file))
  if (hash !== null) facts.hash = hash
  return hash
}

async function readTimeOnce(file: FolderFile, state: SyncState): Promise<number | null> {
  const facts = state.fileFacts(file)
  facts.time ??= await withRegularFile(file, (_file, path) => readCaptureTime(path)).catch(() => null)
  return facts.time
}

/** Returns the content hash of the service, or null for a file that cannot be read. */
const hashFile = (file: FolderFile): Promise<string | null> =>
  withRegularFile(file, (_file, path) => digestFile(path)).then(
    ({ contentHash }) => contentHash,
    () => null,
  )
