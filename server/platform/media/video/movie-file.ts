import {
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  MP4,
  QTFF,
  VideoSampleSink,
  WEBM,
} from 'mediabunny'
import sharp, { type Sharp } from 'sharp'
import type { ReadAt } from '../read-at.ts'
import { parseWrittenTime, selectCaptureTime } from './capture-time.ts'
import { readPixels } from './frame-pixels.ts'
import { readCreationTime } from './movie-boxes.ts'
import {
  checkFrameSize,
  frameSeconds,
  maxPixels,
  RejectedVideo,
  UnknownCodec,
  type VideoContainer,
} from './video-container.ts'
import { maxSeconds, type VideoTask } from './video-result.ts'
import { loadWebCodecs } from './web-codecs.ts'

/** Opens an MP4, QuickTime or WebM file. Throws RejectedVideo. */
export async function openMovie(
  read: ReadAt,
  sizeBytes: number,
  { kind, now }: Pick<VideoTask, 'kind' | 'now'>,
): Promise<VideoContainer> {
  const source = new CustomSource({ getSize: () => sizeBytes, read: (start, end) => read(start, end - start) })
  const input = new Input({ formats: kind === 'webm' ? [WEBM] : [MP4, QTFF], source })
  const tracks = await input.getTracks()
  if (tracks.length === 0) throw new RejectedVideo(kind === 'webm' ? 'damaged' : 'cut')
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw new RejectedVideo('pictureless')
  if (!(await new EncodedPacketSink(track).getFirstPacket())) throw new RejectedVideo('damaged')
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  checkFrameSize(width, height)
  // Damaged metadata and a missing end do not matter, as long as a picture can be decoded.
  const tags = await input.getMetadataTags().catch(() => null)
  const written = tags?.raw?.['com.apple.quicktime.creationdate']
  const capturedAt = selectCaptureTime(
    [
      // Editing programs change the time of the file, but not this one.
      typeof written === 'string' ? parseWrittenTime(written) : null,
      kind === 'webm' ? null : await readCreationTime(read, sizeBytes),
    ],
    now,
  )
  const facts = { width, height, duration: await readDuration(input).catch(() => null), capturedAt }
  return { facts, decodeFrame: () => decodeFrame(track) }
}

/** Recorders in browsers write no duration; then the packets are read. */
async function readDuration(input: Input): Promise<number | null> {
  const duration = (await input.getDurationFromMetadata()) || (await input.computeDuration())
  return duration > 0 && duration < maxSeconds ? duration : null
}

async function decodeFrame(track: InputVideoTrack): Promise<Sharp> {
  const start = await track.getFirstTimestamp()
  if (isMotionJpeg(await track.getInternalCodecId())) {
    const packet = await new EncodedPacketSink(track).getPacket(start + frameSeconds)
    if (!packet) throw new RejectedVideo('damaged')
    return sharp(packet.data, { limitInputPixels: maxPixels }).rotate(await track.getRotation())
  }
  if (!(await loadWebCodecs()) || !(await track.canDecode())) throw new UnknownCodec()
  const sample = await new VideoSampleSink(track).getSample(start + frameSeconds)
  if (!sample) throw new RejectedVideo('damaged')
  return readPixels(sample)
}

const isMotionJpeg = (codecId: unknown): boolean => codecId === 'jpeg' || codecId === 'mjpa'
