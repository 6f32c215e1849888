import type { CameraFacts } from '../../../contract/camera-facts.ts'
import type { XmpChange } from '../xmp/merge-xmp.ts'
import type { XmpMarks } from '../xmp/read-xmp.ts'
import type { XmpRejection } from '../xmp/rejected-xmp.ts'
import type { ConvertedKind, ImageKind } from './image-kinds.ts'
import type { RawKind } from './raw/detect-raw-kind.ts'
import type { VideoHeader } from './video/video-header.ts'

/** Tasks of an image worker. They contain paths, never pixels. */
export type ImageTask =
  | ReceiveTask
  | ThumbnailTask
  | StillTask
  | RenditionTask
  | MeasureTask
  | MeasureCoverTask
  | InspectVideoTask
  | LocationTask
  | CameraTask
  | ReadSidecarTask
  | MergeSidecarTask

type Source = {
  sourcePath: string
  /** All supported kinds without it. */
  accepts?: readonly ImageKind[]
  /** Limit for a picture that is decoded as a whole in memory; a larger one is rejected. */
  maxBufferedBytes: number
}

/** Checks a new image, makes its thumbnail, looks for its location, and on request for rating and label. */
export type ReceiveTask = Source & { kind: 'receive'; thumbnailPath: string; readsMarks?: boolean }

export type ThumbnailTask = Source & { kind: 'thumbnail'; thumbnailPath: string }

/**
 * Makes the thumbnail of a JPEG at `sourcePath` that is shown in place of another file. With `raw`, the JPEG is first
 * taken out of a raw file.
 */
export type StillTask = Omit<ThumbnailTask, 'kind' | 'accepts'> & {
  kind: 'still'
  raw: { path: string; kind: RawKind } | null
}

export type MeasureTask = Pick<Source, 'sourcePath'> & { kind: 'measure' }

/** Finds the place with the most detail, and how bright each part is. The source is a thumbnail. */
export type MeasureCoverTask = Pick<Source, 'sourcePath'> & { kind: 'measure-cover' }

/** Reads the container of a new video and looks for its location. */
export type InspectVideoTask = Pick<Source, 'sourcePath'> & { kind: 'inspect-video' }

export type LocationTask = Pick<Source, 'sourcePath'> & { kind: 'location' }

export type CameraTask = Pick<Source, 'sourcePath'> & { kind: 'camera' }

export type ReadSidecarTask = Pick<Source, 'sourcePath'> & { kind: 'read-sidecar' }

/** Replaces the file by the merged one, unless it is rejected. `onlyMissing`: a value of the file stays. */
export type MergeSidecarTask = Pick<Source, 'sourcePath'> & {
  kind: 'merge-sidecar'
  change: XmpChange
  onlyMissing: Record<'rating' | 'label', boolean>
}

export type RenditionTask = Source & {
  kind: 'rendition'
  /** The source is decoded once, into this box; the targets are made from the result. */
  base: PixelSize
  targets: RenditionTarget[]
  format: RenditionFormat
  quality: number
  watermark: Watermark | null
  isKept: boolean
  /** Makes the smallest files, for which the encoder holds the whole picture in memory. */
  isOptimized: boolean
  checksOpacity?: boolean
  /** The pictures fill their boxes: they are cropped around the subject, and enlarged where necessary. */
  isCropped?: boolean
  /** The picture stands in the middle of its only box, whose rest is transparent. The facts include its tone. */
  isPadded?: boolean
}

export type RenditionTarget = {
  targetPath: string
  /** The upright picture fits inside and is not enlarged, unless it is cropped. */
  box: PixelSize
}

export type PixelSize = { width: number; height: number }

export type RenditionFormat = 'jpeg' | 'webp' | 'avif' | 'png'

export type Watermark = { text: string; style: 'tiled' | 'corner'; opacityPercent: number }

export type RenditionFacts = {
  width: number
  height: number
  sizeBytes: number
  sha256: string
  crc32: number
  tone?: LogoTone
  /** Whether no pixel is transparent; only if the task checks it. */
  isOpaque?: boolean
}

/** Of a picture without a background: all of it is dark, or all of it is light. */
export type LogoTone = 'dark' | 'light'

export type PictureFacts = {
  imageKind: ImageKind
  /** As displayed, orientation applied. */
  width: number
  height: number
  /** Epoch milliseconds of the camera's clock, read as UTC where the file has no time zone; null when unknown. */
  capturedAt: number | null
  /** Base64, about 30 characters. */
  thumbhash: string
  thumbnail: { sizeBytes: number; sha256: string }
}

/** Instead of a picture, for a file that must be converted first. */
export type ConvertedFacts = { imageKind: ConvertedKind } & Pick<PictureFacts, 'capturedAt'>

/** How to remove the location from a file without changing its length. */
export type LocationChange = {
  /** Byte patches in the form of `photo_locations.patches`; `[]` for a file without a location. */
  patches: string
  /** Old CRC-32 XOR `crc32Change` is the new CRC-32. */
  crc32Change: number
}

/** Null for a file that cannot be parsed within the limits. */
type FoundLocation = { location: LocationChange | null }

/** Null if there are none, or if they were not requested. */
type FoundMarks = { marks: XmpMarks | null }

export type StillFacts = Omit<PictureFacts, 'imageKind' | 'capturedAt'> & {
  still: Pick<RenditionFacts, 'sizeBytes' | 'sha256' | 'crc32'>
  /** The picture of the raw file is HEVC, which image workers do not decode. The still is neutral. */
  isHevc: boolean
}

export type CoverMeasurement = {
  /** The proposed focus, in percent of the width and of the height. */
  focusX: number
  focusY: number
  /** The brightest gray of each cell of 16 rows and 16 columns, 0 to 255, in base64. */
  levels: string
}

/** The edge of `CoverMeasurement.levels`. */
export const levelCells = 16

type FactsByKind = {
  receive: (PictureFacts | ConvertedFacts) & FoundLocation & FoundMarks
  thumbnail: PictureFacts
  still: StillFacts
  rendition: RenditionFacts[]
  measure: PixelSize
  'measure-cover': CoverMeasurement
  /** `header` is null for anything that is not a supported video. */
  'inspect-video': FoundLocation & { header: VideoHeader | null }
  location: FoundLocation
  camera: CameraFacts
  'read-sidecar': FoundMarks
  'merge-sidecar': { merged: { sizeBytes: number; crc32: number } } | { rejection: XmpRejection }
}

export type TaskFacts<Task extends ImageTask> = FactsByKind[Task['kind']]

export type ImageTaskResult<Task extends ImageTask = ImageTask> =
  | { outcome: 'made'; facts: TaskFacts<Task> }
  | ImageRejection

/** The file itself is the cause. */
export type ImageRejection = {
  outcome: 'rejected'
  /** `kind`: the task does not accept this kind. `size`: too large to be decoded, but not necessarily damaged. */
  cause: 'kind' | 'size' | 'damage'
  /** Null for anything that is not a supported image. */
  imageKind: ImageKind | null
  /** For the log. */
  reason: string
}

/** The worker asks for memory before it decodes; the answer is `granted`. */
export type MessageToWorker = ImageTask | 'granted'

/** `diskFull`: the results could not be written. */
export type MessageFromWorker = { requestedBytes: number } | { outcome: 'diskFull' } | ImageTaskResult

/** Resolves when the memory of all running tasks has room for `bytes`. A task calls it at most once. */
export type RequestMemory = (bytes: number) => Promise<void>

/** Limit of `reason`. */
export const maxReasonLength = 500

/** Limit of `patches`, which are parsed for each download. Real files need a fraction of it. */
export const maxPatchesLength = 64 * 2 ** 10

/** 0x3FFF², the limit of sharp. */
export const maxPixels = 268_402_689

export const thumbnailEdgePx = 480
