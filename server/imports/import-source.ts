import type { Readable } from 'node:stream'

/** `imported`: it is a photo now. A refused one goes with the sentence that says why. */
export type Destination = 'imported' | { refusedBecause: string }

/**
 * `moved`: it no longer stands there. `kept`: it may not be moved. `changed`: another file, or other content, stands
 * there by now and was left alone.
 */
export type MoveOutcome = 'moved' | 'kept' | 'changed'

/** A file that waits to be imported, as it was when it was listed. */
export type WaitingFile = {
  /** What it is known by among all files of its source, whatever bytes its name is made of. */
  digest: string
  /** Below the place of all imports, fit to be shown. */
  path: string
  /** As its owner wrote it: not to be trusted. */
  name: string
  /** The folder of the event's folder in which it stands, at whatever depth; null: in none. */
  folder: string | null
  sizeBytes: number
  modifiedAt: number
  /** Gives at most one byte more than it had when it was listed. Throws FileUnreadable. */
  open: (signal: AbortSignal) => Promise<Readable>
  isUnchanged: () => Promise<boolean>
  moveAway: (to: Destination) => Promise<MoveOutcome>
}

/** Where files for import come from: a folder for each event, named by its slug. */
export type ImportSource = {
  kind: 'folder' | 'bucket'
  /** Files appear there as a whole. Of others it is waited that they stay as they are. */
  isAtomic: boolean
  listFolders: () => Promise<string[]>
  /** What stands beside those folders, where nothing is taken from: loose files, and links, which are not followed. */
  listStrays: () => Promise<string[]>
  /** All files of a folder and of those in it. What cannot be listed is told and passed over. */
  listFiles: (folder: string, tellUnreadable: (path: string) => void) => AsyncIterable<WaitingFile>
  /** Lets go of what it keeps open. */
  close: () => void
}

/** Under which name it is told what waits there and why. */
export const warningOf = ({ kind }: Pick<ImportSource, 'kind'>): string => `imports by ${kind}`

/** The file of somebody else cannot be read: it may not be, it is gone, or its disk fails. */
export class FileUnreadable extends Error {
  constructor(options?: ErrorOptions) {
    super('A file that is to be imported cannot be read', options)
    this.name = 'FileUnreadable'
  }
}

/** It was changed while it was read. */
export class FileChanged extends Error {}
