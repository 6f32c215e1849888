import type { ColorLabel } from '../../../contract/color-labels.ts'
import type { MarkSource } from '../../../contract/marks.ts'
import type { LabelNames } from '../../feedback/marks/label-names.ts'
import type { Preference } from './decide-marks.ts'

export type SyncOptions = {
  eventId: number
  /** The host of the service, part of the identity in sidecars. */
  host: string
  folder: string
  markSource: MarkSource
  /** Only the photos of this selection, with the marks that were submitted in its round. */
  selectionId?: number
  prefer: Preference
  labels: LabelNames
  /** For photos with a like or a favorite that have no rating or no color. */
  unratedAs: number | null
  unlabeledAs: ColorLabel | null
  /** Whether new sidecars are named `IMG.CR3.xmp` instead of `IMG.xmp`. */
  hasFullNames: boolean
  /** Whether marks are also written into JPEG and DNG files. */
  isEmbedding: boolean
  hasKeywords: boolean
  hasNotes: boolean
  /** Only photos whose marks have changed in the service since the last sync. */
  onlyChanged: boolean
  isDryRun: boolean
  isPush: boolean
  onProgress: (progress: { done: number; total: number; path: string }) => void
  isStopped: () => boolean
}
