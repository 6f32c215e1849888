import { stat } from 'node:fs/promises'
import sharp from 'sharp'
import { readXmpMarks, type XmpMarks } from '../xmp/read-xmp.ts'
import { readCaptureTime } from './capture-time.ts'
import { readFileFacts } from './file-facts.ts'
import { readImageHeader } from './image-header.ts'
import { type ConvertedKind, isConvertedKind } from './image-kinds.ts'
import type { InspectVideoTask, PictureFacts, ReceiveTask, RequestMemory, StillTask, TaskFacts } from './image-tasks.ts'
import { findLocation } from './location/find-location.ts'
import { makeThumbnail, makeThumbnailWithXmp } from './make-thumbnail.ts'
import { validateHeader } from './open-picture.ts'
import { writeNeutralStill, writeRawStill } from './raw/write-raw-still.ts'
import { readVideoHeader } from './video/video-header.ts'

/** More than Lightroom embeds. The rating of a larger packet is not worth the time of a worker. */
const maxEmbeddedXmpBytes = 2 ** 20

/** Throws the errors of `makeThumbnail`. */
export async function receiveImage(task: ReceiveTask, requestMemory: RequestMemory): Promise<TaskFacts<ReceiveTask>> {
  const header = validateHeader(await readImageHeader(task.sourcePath), task)
  if (isConvertedKind(header.kind)) return receiveConverted(task, header.kind)
  const { xmp, ...picture } = await makeThumbnailWithXmp(task, requestMemory)
  const marks = parseMarks(task.readsMarks ? xmp : null)
  return { ...picture, ...(await findLocation(task, picture.imageKind)), marks }
}

/** Raw files have their marks in sidecars. */
async function receiveConverted(task: ReceiveTask, imageKind: ConvertedKind): Promise<TaskFacts<ReceiveTask>> {
  const capturedAt = await readCaptureTime(task.sourcePath)
  const xmp = task.readsMarks && imageKind === 'heic' ? (await sharp(task.sourcePath).metadata()).xmp : undefined
  return { imageKind, capturedAt, ...(await findLocation(task, imageKind)), marks: parseMarks(xmp) }
}

/** A raw file whose picture cannot be decoded gets a neutral one. Throws the errors of `makeThumbnail`. */
export async function receiveStill(
  { raw, ...task }: StillTask,
  requestMemory: RequestMemory,
): Promise<TaskFacts<StillTask>> {
  const format = raw && (await writeRawStill(raw.path, raw.kind, task.sourcePath))
  const {
    imageKind: _kind,
    capturedAt: _time,
    ...picture
  } = await makeThumbnail(task, requestMemory).catch((error) => {
    if (format !== 'jpeg') throw error
    return makeNeutralThumbnail(task)
  })
  return { ...picture, still: await readFileFacts(task.sourcePath, { isSynced: true }), isHevc: format === 'hevc' }
}

/** Requests no memory, because a task does that at most once. The picture is small. */
async function makeNeutralThumbnail(task: Omit<StillTask, 'raw'>): Promise<PictureFacts> {
  await writeNeutralStill(task.sourcePath)
  return makeThumbnail(task, async () => undefined)
}

const parseMarks = (xmp: Buffer | null | undefined): XmpMarks | null =>
  xmp && xmp.length <= maxEmbeddedXmpBytes ? readXmpMarks(xmp) : null

export async function inspectVideo(task: InspectVideoTask): Promise<TaskFacts<InspectVideoTask>> {
  const { size } = await stat(task.sourcePath)
  const header = await readVideoHeader(task.sourcePath, size)
  return { header, ...(header ? await findLocation(task, header.kind) : { location: null }) }
}
