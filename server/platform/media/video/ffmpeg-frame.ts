import { spawn } from 'node:child_process'
import { frameSeconds, maxPixels, maxStillEdge } from './video-container.ts'
import { type VideoKind, videoKinds } from './video-header.ts'

/** Limit of the JPEG in bytes. */
const maxOutputBytes = 2 ** 26

/**
 * Lets ffmpeg decode the frame at 1 second, or the last frame before, from a file at `path`. Returns a JPEG of at most
 * 3840 pixels on each side, upright and with square pixels; null when ffmpeg cannot decode it.
 */
export async function captureWithFfmpeg(program: string, path: string, kind: VideoKind): Promise<Buffer | null> {
  const source = [...inputOptions(kind), '-i', `file:${path}`]
  const atFrame = await run(program, ['-ss', String(frameSeconds), ...source, ...outputOptions(scaleFilter)])
  if (atFrame.length > 0) return atFrame
  const last = await run(program, ['-t', String(frameSeconds), ...source, ...outputOptions(`${scaleFilter},reverse`)])
  return last.length > 0 ? last : null
}

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

/** Square pixels, at most 3840 pixels wide and high, in the color range of JPEG. */
const scaleFilter = [
  `scale=w='max(1,round(iw*sar*min(1,${maxStillEdge}/max(iw*sar,ih))))'`,
  `h='max(1,round(ih*min(1,${maxStillEdge}/max(iw*sar,ih))))'`,
  'out_color_matrix=bt601',
  'out_range=pc,setsar=1,format=yuvj420p',
].join(':')

/** `V` excludes cover art. */
const outputOptions = (filter: string): string[] => [
  ...['-map', '0:V:0', '-an', '-sn', '-dn', '-vf', filter],
  ...['-frames:v', '1', '-map_metadata', '-1', '-map_chapters', '-1'],
  ...['-c:v', 'mjpeg', '-q:v', '2', '-threads', '1', '-f', 'mjpeg', 'pipe:1'],
]

/** Resolves with what ffmpeg writes; empty when it fails. */
function run(program: string, args: string[]): Promise<Buffer> {
  const options = ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'quiet', '-filter_threads', '1']
  return new Promise((resolve) => {
    const child = spawn(program, [...options, ...args], { stdio: [0, 'pipe', 'ignore'], env: {} })
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxOutputBytes) child.kill('SIGKILL')
    })
    child.on('error', () => resolve(Buffer.alloc(0)))
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : Buffer.alloc(0)))
  })
}
