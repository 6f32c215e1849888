import { readCaptureTime } from '../../platform/media/capture-time.ts'
import { digestFile } from '../../platform/storage/content-digest.ts'
import type { Marks } from './decide-marks.ts'
import type { ShotFacts } from './match-shots.ts'
import type { Shot } from './shots.ts'
import { describeFileError, readSidecar } from './sidecar-files.ts'
import type { SyncState } from './sync-state.ts'
import type { FolderFile } from './walk-folder.ts'

export type KnownShot = Shot &
  ShotFacts & {
    /** The marks of its sidecars. Null if it has none that can be read. */
    mine: Marks | null
    /** Sidecars that cannot be edited, with the reason. */
    rejected: Array<{ path: string; reason: string }>
  }

/** Names a photo of an event of a service, as a sidecar stores it. */
export const formatIdentity = (host: string, eventId: number, photoId: number): string =>
  `${host}/${eventId}/${photoId}`

function parseIdentity(identity: string | null, host: string, eventId: number): number[] {
  const prefix = `${host}/${eventId}/`
  const id = identity?.startsWith(prefix) ? Number(identity.slice(prefix.length)) : Number.NaN
  return Number.isSafeInteger(id) ? [id] : []
}

/** Reads the sidecars of a shot. Its files are read when they are needed. */
export async function learnShot(
  shot: Shot,
  { host, eventId, state }: { host: string; eventId: number; state: SyncState },
): Promise<KnownShot> {
  const rejected: KnownShot['rejected'] = []
  const identities: number[] = []
  let mine: Marks | null = null
  for (const { absolutePath, path } of new Set(shot.sidecars.map(({ sidecar }) => sidecar))) {
    try {
      const { marks, identity } = await readSidecar(absolutePath)
      identities.push(...parseIdentity(identity, host, eventId))
      mine ??= marks
    } catch (error) {
      rejected.push({ path, reason: describeFileError(error) })
    }
  }
  const files = [...shot.pictures, ...shot.raws]
  let times: Promise<number[]> | null = null
  return {
    ...shot,
    identities: [...new Set(identities)],
    mine,
    rejected,
    files: files.map((file) => ({ sizeBytes: file.sizeBytes, hash: () => hashOnce(file, state) })),
    captureTimes: () => {
      times ??= Promise.all(files.map((file) => readTimeOnce(file, state))).then((all) =>
        all.filter((time) => time !== null),
      )
      return times
    },
  }
}

async function hashOnce(file: FolderFile, state: SyncState): Promise<string | null> {
  const facts = state.fileFacts(file)
  const hash = facts.hash ?? (await hashFile(file.absolutePath))
  if (hash !== null) facts.hash = hash
  return hash
}

async function readTimeOnce(file: FolderFile, state: SyncState): Promise<number | null> {
  const facts = state.fileFacts(file)
  facts.time ??= await readCaptureTime(file.absolutePath)
  return facts.time
}

/** Returns the content hash of the service, or null for a file that cannot be read. */
async function hashFile(path: string): Promise<string | null> {
  return digestFile(path).then(
    ({ contentHash }) => contentHash,
    () => null,
  )
}
