import { dirname } from 'node:path'
import { type FfmpegLimits, type FfmpegResult, findFfmpeg, runFfmpeg } from './run-ffmpeg.ts'
import { type VideoKind, videoKinds } from './video-header.ts'
import { readFrames, readProgress, readVideoReport, type VideoReport } from './video-report.ts'

/** The video itself is the cause. The message is a sentence for people. */
export class UnreadableVideo extends Error {}

/** The signal of the task or `close` has ended the task. The video is not the cause. */
export class StillCanceled extends Error {}

export type VideoFacts = VideoReport & {
  /** As displayed: upright, with square pixels. */
  width: number
  height: number
}

export type StillTask = {
  sourcePath: string
  kind: VideoKind
  stillPath: string
  now: number
  signal: AbortSignal
}

export type VideoStills = {
  /** Writes the frame at 1 second, or the last frame before. Throws UnreadableVideo, StillCanceled, FfmpegMissing. */
  capture: (task: StillTask) => Promise<VideoFacts>
  close: () => void
}

export const defaultVideoLimits: FfmpegLimits = {
  wallSeconds: 120,
  cpuSeconds: 60,
  memoryBytes: 2 ** 30,
  fileBytes: 64 * 2 ** 20,
}

const frameSeconds = 1
const maxEdgePx = 3840
/** Larger frames are not decoded; 8K has 33 million pixels. */
const maxPixels = 2 ** 26

export function createVideoStills(
  { ffmpegPath }: { ffmpegPath: string | null },
  limits: FfmpegLimits = defaultVideoLimits,
): VideoStills {
  const closing = new AbortController()

  async function capture({ sourcePath, kind, stillPath, now, signal }: StillTask): Promise<VideoFacts> {
    const program = await findFfmpeg(ffmpegPath)
    const ended = AbortSignal.any([signal, closing.signal])
    const deadline = performance.now() + limits.wallSeconds * 1000
    const source = [...inputOptions(kind), '-i', `file:${sourcePath}`]

    /** All runs for one video share one time limit. */
    async function run(...args: string[]): Promise<FfmpegResult> {
      const wallSeconds = Math.max(0, (deadline - performance.now()) / 1000)
      const limited = { limits: { ...limits, wallSeconds }, scratchRoot: dirname(stillPath), signal: ended }
      const done = await runFfmpeg(program, [...logOptions, ...args], limited)
      if (ended.aborted) throw new StillCanceled()
      if (done.outcome === 'stopped') throw new UnreadableVideo(tooExpensive)
      return done
    }

    const still = [...stillOutputOptions, `file:${stillPath}`]
    const atFrame = await run('-ss', String(frameSeconds), ...source, ...frameOptions('showinfo'), ...still)
    const size = parseSize(atFrame) ?? parseSize(await captureLastFrame(run, source, still))
    if (!size) throw new UnreadableVideo(damaged)
    const { capturedAt, duration } = readVideoReport(atFrame.report, now)
    return { ...size, capturedAt, duration: duration ?? (await measureDuration(run, source)) }
  }

  return { capture, close: () => closing.abort() }
}

type Run = (...args: string[]) => Promise<FfmpegResult>

async function captureLastFrame(run: Run, source: readonly string[], still: readonly string[]): Promise<FfmpegResult> {
  const { report } = await run('-t', String(frameSeconds), ...source, ...frameOptions('showinfo'), '-f', 'null', '-')
  const count = readFrames(report)?.count
  if (!count) throw new UnreadableVideo(describeFailure(report))
  return run(...source, ...frameOptions(`select=eq(n\\,${count - 1}),showinfo`), ...still)
}

function parseSize({ outcome, report }: FfmpegResult): { width: number; height: number } | null {
  const frames = outcome === 'done' ? readFrames(report) : null
  return frames && { width: frames.width, height: frames.height }
}

/** Returns the end of the last packet in seconds, or null. Recorders in browsers write no duration. Decodes nothing. */
async function measureDuration(run: Run, source: readonly string[]): Promise<number | null> {
  try {
    const { report } = await run('-stats', ...source, '-map', '0:V:0', '-c', 'copy', '-f', 'null', '-')
    return readProgress(report)
  } catch (error) {
    if (error instanceof UnreadableVideo) return null
    throw error
  }
}

const logOptions = ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'info', '-filter_threads', '1']

/** What cameras, phones and editors write. No other decoder is allowed, and none for sound. */
const videoDecoders = `h264 hevc av1 libdav1d libaom-av1 vp8 vp9 libvpx libvpx-vp9 mpeg4 msmpeg4 msmpeg4v2 msmpeg4v1 h263 mpeg1video
  mpeg2video mjpeg mjpegb prores dnxhd cfhd dvvideo ffv1 huffyuv ffvhuff utvideo rawvideo png qtrle svq1 svq3 cinepak wmv1 wmv2`

/** Allows one file and one demuxer: files that the video names are not opened, other formats are not detected. */
function inputOptions(kind: VideoKind): string[] {
  const { demuxer } = videoKinds[kind]
  return [
    ...['-protocol_whitelist', 'file,pipe'],
    ...['-format_whitelist', demuxer],
    ...['-codec_whitelist', videoDecoders.split(/\s+/).join(',')],
    ...['-max_pixels', String(maxPixels)],
    ...['-threads', '1'],
    ...(demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
    ...['-f', demuxer],
  ]
}

/** `V` excludes cover art. */
const frameOptions = (filter: string): string[] => {
  const withScale = `${filter},${scaleFilter}`
  return ['-map', '0:V:0', '-an', '-sn', '-dn', '-vf', withScale]
}

/** Square pixels, at most 3840 pixels wide and high, in the color range of JPEG. */
const scaleFilter = [
  `scale=w='max(1,round(iw*sar*min(1,${maxEdgePx}/max(iw*sar,ih))))'`,
  `h='max(1,round(ih*min(1,${maxEdgePx}/max(iw*sar,ih))))'`,
  'out_color_matrix=bt601',
  'out_range=pc,setsar=1,format=yuvj420p',
].join(':')

const stillOutputOptions = [
  ...['-frames:v', '1', '-map_metadata', '-1', '-map_chapters', '-1'],
  ...['-c:v', 'mjpeg', '-q:v', '2', '-threads', '1', '-f', 'image2', '-update', '1', '-y'],
]

/** Returns a fixed sentence, because the output of ffmpeg may contain local paths. */
function describeFailure(report: string): string {
  if (/Cannot allocate memory/.test(report)) return tooExpensive
  if (/moov atom not found/.test(report)) return 'The video is cut off: the part that describes it is missing.'
  if (/matches no streams|does not contain any stream/.test(report))
    return 'The file has no picture: it is sound alone, or empty.'
  if (/not on whitelist|Unknown decoder|Decoder \(codec [^)]*\) not found/.test(report)) {
    return 'The video is of a kind that this service cannot decode.'
  }
  return damaged
}

const tooExpensive = 'To look into this video takes too much time or memory.'
const damaged = 'The video is damaged or incomplete: no picture of it can be decoded.'
