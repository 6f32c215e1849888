import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { colorLabels } from '../../../contract/color-labels.ts'
import { Nullable, OneOf } from '../../../contract/shapes.ts'
import { readBounded, UnsafeFile } from '../../platform/storage/untrusted-files.ts'
import { t } from '../../platform/text/command-messages.ts'
import { CommandRejected } from '../command-errors.ts'
import type { FolderFile } from '../walk-folder.ts'
import { replaceFile } from './replace-file.ts'

/** Several times as much as a folder of 100,000 pictures needs. */
const maxStateBytes = 128 * 2 ** 20

const rating = Nullable(Type.Integer({ minimum: -1, maximum: 5 }))
const color = Nullable(OneOf(colorLabels))
const EmbeddedMarks = Type.Object({
  marks: Type.Object({ rating, color }),
  identity: Nullable(Type.String()),
  synced: Type.Object({ rating, color_label: color }),
  changedAt: Nullable(Type.Number()),
})

const KnownFile = Type.Object({
  size: Type.Integer(),
  modified: Type.Number(),
  hash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  time: Type.Optional(Nullable(Type.Number())),
  /** The marks inside of a JPEG or DNG file; null if it has no XMP packet. */
  embedded: Type.Optional(Nullable(EmbeddedMarks)),
})
/** What was read from a file of this size and time. */
export type KnownFile = Static<typeof KnownFile>

const SyncedPhoto = Type.Object({
  rating,
  color,
  /** When file and service were last known to agree: epoch milliseconds. */
  at: Type.Optional(Type.Number()),
  /** The keywords and notes that were written. */
  words: Type.Optional(Type.String()),
})
/** What the file and the service had after the last sync. */
export type SyncedPhoto = Static<typeof SyncedPhoto>

const State = Type.Object({
  version: Type.Literal(1),
  files: Type.Record(Type.String(), KnownFile),
  photos: Type.Record(Type.String({ pattern: '^\\d+$' }), SyncedPhoto),
})
type State = Static<typeof State>

export type SyncState = {
  /** Null before the first sync. */
  find: (photoId: number) => SyncedPhoto | null
  set: (photoId: number, photo: SyncedPhoto) => void
  /** Returns what is known of a file, to read and to extend. It is empty for a file that has changed. */
  fileFacts: (file: FolderFile) => KnownFile
  save: () => Promise<void>
}

/**
 * Opens the record of the last sync of this event, in a hidden folder of `root`. A damaged record counts as missing.
 * Throws CommandRejected for a link, a device or a file that is too large.
 */
export async function openSyncState(root: string, host: string, eventId: number): Promise<SyncState> {
  const place = { root, path: `.proofroom/${host.replaceAll(/[^\w.-]/g, '_')}-${eventId}.json` }
  const bytes = await readBounded(place, maxStateBytes).catch((error) => {
    if (!(error instanceof UnsafeFile)) return Buffer.alloc(0)
    throw new CommandRejected(t('stateUnreadable', { path: join(root, place.path), problem: error.message }))
  })
  const text = bytes.toString()
  const stored = parseState(text)
  const before = new Map(Object.entries(stored?.photos ?? {}))
  // A photo may have several files, which are all compared with the last sync.
  const photos = new Map(before)
  const files = new Map(Object.entries(stored?.files ?? {}))
  let saved = text
  return {
    find: (photoId) => before.get(String(photoId)) ?? null,
    set(photoId, photo) {
      photos.set(String(photoId), photo)
    },
    fileFacts({ path: file, sizeBytes: size, modifiedAt: modified }) {
      const known = files.get(file)
      if (known?.size === size && known.modified === modified) return known
      const facts: KnownFile = { size, modified }
      files.set(file, facts)
      return facts
    },
    async save() {
      const state = JSON.stringify({
        version: 1,
        files: Object.fromEntries(files),
        photos: Object.fromEntries(photos),
      } satisfies State)
      if (state === saved) return
      await replaceFile(place, 0o600, (file) => file.writeFile(state), { createsFolder: true })
      saved = state
    },
  }
}

function parseState(text: string): State | null {
  try {
    const state: unknown = JSON.parse(text)
    return Value.Check(State, state) ? state : null
  } catch {
    return null
  }
}
