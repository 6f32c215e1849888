import { type FileHandle, open } from 'node:fs/promises'
import { StorageFull } from '../../storage/storage.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { isolateWorker } from './isolation.ts'
import { parseVideoResult } from './parse-video-result.ts'
import { type ProgramLimits, ProgramMissing, runLimited } from './run-limited.ts'
import { readyLine, type VideoFacts, type VideoRejection, type VideoTask } from './video-result.ts'

/** The video itself is the cause. The message is a sentence for people. */
export class UnreadableVideo extends Error {}

/** The signal of the task or `close` has ended the task. The video is not the cause. */
export class StillCanceled extends Error {}

export type StillTask = Pick<VideoTask, 'kind' | 'now'> & {
  sourcePath: string
  stillPath: string
  signal: AbortSignal
}

export type VideoStills = {
  /**
   * Writes the frame at 1 second, or the last frame before, as a JPEG; a neutral picture when nothing here can decode
   * the video. Throws UnreadableVideo, StillCanceled, StorageFull and ProgramMissing.
   */
  capture: (task: StillTask) => Promise<VideoFacts>
  close: () => void
}

export const defaultVideoLimits: ProgramLimits = {
  wallSeconds: 120,
  cpuSeconds: 30,
  memoryBytes: 2 ** 30,
  fileBytes: 64 * 2 ** 20,
}

/** What Node.js reserves at its start, most of which it never uses. */
const nodeReserveBytes = 640 * 2 ** 20

export function createVideoStills(
  { ffmpegPath, dataDir }: { ffmpegPath: string | null; dataDir: string },
  limits: ProgramLimits = defaultVideoLimits,
): VideoStills {
  const closing = new AbortController()

  async function capture({ sourcePath, stillPath, kind, now, signal }: StillTask): Promise<VideoFacts> {
    const task: VideoTask = { kind, now, ffmpegPath: await findFfmpeg(ffmpegPath) }
    const ended = AbortSignal.any([signal, closing.signal])
    const files = { inputPath: sourcePath, ffmpegPath: task.ffmpegPath, privateFolder: dataDir }
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
    if (result?.outcome === 'made') return result.facts
    if (result?.outcome === 'diskFull') throw new StorageFull()
    if (result) throw new UnreadableVideo(sentences[result.rejection])
    if (outcome === 'failed' && !text.startsWith(readyLine)) {
      throw new ProgramMissing(`The video worker cannot be started: ${errors.slice(0, 500)}`)
    }
    // A limit or a crash has ended the worker.
    throw new UnreadableVideo(sentences.costly)
  }

  return { capture, close: () => closing.abort() }
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

const sentences: Record<VideoRejection, string> = {
  cut: 'The video is incomplete. The part that describes it is missing.',
  pictureless: 'The file contains no picture. It is empty or contains only sound.',
  damaged: 'The video is damaged or incomplete. No picture can be decoded.',
  costly: 'Processing this video takes too much time or memory.',
}
