import { type FileHandle, open } from 'node:fs/promises'
import pLimit from 'p-limit'
import { StorageFull } from '../../storage/storage.ts'
import { noDecoderText } from './find-decoder.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { isolateWorker } from './isolation.ts'
import { parseVideoResult } from './parse-video-result.ts'
import { type ProgramLimits, ProgramMissing, runLimited } from './run-limited.ts'
import {
  type ConversionTask,
  type HeicRejection,
  readyLine,
  type VideoFacts,
  type VideoRejection,
  type VideoResult,
  type VideoTask,
  type WorkerTask,
} from './video-result.ts'

/** The video itself is the cause. The message is a sentence for people. */
export class UnreadableVideo extends Error {}

/** The message is a sentence for people, `reason` is for the log. */
export class UnreadableHeic extends Error {
  readonly rejection: HeicRejection
  readonly reason: string | undefined

  constructor(rejection: HeicRejection, reason?: string) {
    super(sentences[rejection])
    this.rejection = rejection
    this.reason = reason
  }
}

/** The signal of the task or `close` has ended the task. The video is not the cause. */
export class StillCanceled extends Error {}

type StillPaths = { sourcePath: string; stillPath: string }

export type StillTask = Pick<VideoTask, 'kind' | 'now'> & StillPaths & { signal: AbortSignal }

export type VideoStills = {
  /**
   * Writes the frame at 1 second, or the last frame before, as a JPEG; a neutral picture when nothing here can decode
   * the video. Throws UnreadableVideo, StillCanceled, StorageFull and ProgramMissing.
   */
  capture: (task: StillTask) => Promise<VideoFacts>
  /**
   * Writes a HEIC file as an upright JPEG of full size, with its camera data and without its location. Throws UnreadableHeic,
   * StillCanceled, StorageFull and ProgramMissing.
   */
  convert: (task: ConversionTask, paths: StillPaths) => Promise<void>
  close: () => void
}

export const defaultVideoLimits: ProgramLimits = {
  wallSeconds: 120,
  cpuSeconds: 30,
  memoryBytes: 2 ** 30,
  fileBytes: 64 * 2 ** 20,
}

/** Each needs up to 400 MB. */
const maxConversions = 2

/** What Node.js reserves at its start, most of which it never uses. */
const nodeReserveBytes = 640 * 2 ** 20

export function createVideoStills(
  { ffmpegPath, dataDir }: { ffmpegPath: string | null; dataDir: string },
  limits: ProgramLimits = defaultVideoLimits,
): VideoStills {
  const closing = new AbortController()
  const limitConversions = pLimit(maxConversions)

  async function capture({ kind, now, signal, ...paths }: StillTask): Promise<VideoFacts> {
    const task: VideoTask = { kind, now, ffmpegPath: await findFfmpeg(ffmpegPath) }
    const result = await run(task, paths, AbortSignal.any([signal, closing.signal]))
    if (result.outcome === 'made') return result.facts
    throw new UnreadableVideo(sentences[result.rejection])
  }

  const convert = (task: ConversionTask, paths: StillPaths): Promise<void> =>
    limitConversions(async () => {
      const result = await run(task, paths, closing.signal)
      if (result.outcome === 'made') return
      const { rejection, reason } = result
      throw new UnreadableHeic(rejection === 'cut' || rejection === 'pictureless' ? 'damaged' : rejection, reason)
    })

  async function run(
    task: WorkerTask,
    { sourcePath, stillPath }: StillPaths,
    ended: AbortSignal,
  ): Promise<Exclude<VideoResult, { outcome: 'diskFull' }>> {
    const programPath = 'ffmpegPath' in task ? task.ffmpegPath : null
    const files = { inputPath: sourcePath, ffmpegPath: programPath, privateFolder: dataDir }
    const command = await isolateWorker(JSON.stringify(task), files)
    const { text, errors, outcome } = await withFiles(sourcePath, stillPath, (source, still) =>
      runLimited({
        command,
        input: source.fd,
        output: still.fd,
        limits: { ...limits, memoryBytes: limits.memoryBytes + nodeReserveBytes },
        signal: ended,
      }),
    )
    if (ended.aborted) throw new StillCanceled()
    const result = parseVideoResult(text)
    if (result?.outcome === 'diskFull') throw new StorageFull()
    if (result) return result
    if (outcome === 'failed' && !text.startsWith(readyLine)) {
      throw new ProgramMissing(`The video worker cannot be started: ${errors.slice(0, 500)}`)
    }
    // A limit or a crash has ended the worker.
    return { outcome: 'rejected', rejection: 'costly' }
  }

  return { capture, convert, close: () => closing.abort() }
}

async function withFiles<T>(
  sourcePath: string,
  stillPath: string,
  use: (source: FileHandle, still: FileHandle) => Promise<T>,
): Promise<T> {
  await using source = await open(sourcePath, 'r')
  await using still = await open(stillPath, 'w', 0o600)
  return await use(source, still)
}

const sentences: Record<VideoRejection | HeicRejection, string> = {
  cut: 'The video is incomplete. The part that describes it is missing.',
  pictureless: 'The file contains no picture. It is empty or contains only sound.',
  damaged: 'The video is damaged or incomplete. No picture can be decoded.',
  costly: 'Processing this video takes too much time or memory.',
  size: 'The image has more pixels than this service can decode.',
  unsupported: 'This form of HEIC is not supported. Export the image as JPEG.',
  undecodable: `${noDecoderText} Export the image as JPEG.`,
}
