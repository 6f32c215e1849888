import { CustomSource, EncodedPacketSink, Input, type InputVideoTrack, MP4, QTFF, WEBM } from 'mediabunny'
import sharp, { type Sharp } from 'sharp'
import { toCodecConfig } from '../decoder/codec-config.ts'
import type { CodecConfig } from '../decoder/decode-frames.ts'
import type { ReadAt } from '../read-at.ts'
import { captureFrame, type TimedChunk } from './capture-frame.ts'
import { parseWrittenTime, selectCaptureTime } from './capture-time.ts'
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
  const timestamp = (await track.getFirstTimestamp()) + frameSeconds
  const packets = new EncodedPacketSink(track)
  const [rotation, isFlipped] = [await track.getRotation(), await track.getFlip()]
  if (isMotionJpeg(await track.getInternalCodecId())) {
    const packet = await packets.getPacket(timestamp)
    if (!packet) throw new RejectedVideo('damaged')
    return sharp(packet.data, { limitInputPixels: maxPixels }).rotate(rotation)
  }
  const config = await readCodecConfig(track)
  const chunks = readChunks(packets, timestamp)
  const picture = await captureFrame(config, await track.getColorSpace(), chunks, timestamp)
  // The frame is flipped after the rotation, but sharp flips before it.
  if (isFlipped && rotation % 180 === 0) picture.flop()
  else if (isFlipped) picture.flip()
  return picture.rotate(rotation)
}

/** Throws UnknownCodec. */
async function readCodecConfig(track: InputVideoTrack): Promise<CodecConfig> {
  const [name, described] = [await track.getCodec(), await track.getDecoderConfig()]
  if (!name || !described) throw new UnknownCodec()
  const { codec: parameters, description } = described
  const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()]
  const config = toCodecConfig({
    name,
    parameters,
    width,
    height,
    description: description ? toBytes(description) : null,
  })
  if (!config) throw new UnknownCodec()
  return config
}

const toBytes = (source: ArrayBufferView | ArrayBufferLike): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)

/** Yields the chunks from the key frame before `timestamp` on, without those that need frames before it. */
async function* readChunks(packets: EncodedPacketSink, timestamp: number): AsyncGenerator<TimedChunk> {
  const key = (await packets.getKeyPacket(timestamp)) ?? (await packets.getFirstPacket())
  if (!key) throw new RejectedVideo('damaged')
  for await (const packet of packets.packets(key)) {
    if (packet.timestamp < key.timestamp) continue
    yield { data: packet.data, isKey: packet.type === 'key', timestamp: packet.timestamp }
  }
}

const isMotionJpeg = (codecId: unknown): boolean => codecId === 'jpeg' || codecId === 'mjpa'
