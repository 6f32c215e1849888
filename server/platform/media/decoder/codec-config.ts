import type { Codec, CodecConfig } from './decode-frames.ts'

/** What a container says about a stream. `parameters` is as in RFC 6381, such as `vp09.00.10.08`. */
export type StreamDescription = {
  /** As WebCodecs names it: `avc`, `hevc`, `vp8`, `vp9` or `av1`. */
  name: string
  parameters: string
  width: number
  height: number
  description: Uint8Array | null
}

const codecs: Record<string, Codec> = { avc: 'h264', hevc: 'hevc', vp8: 'vp8', vp9: 'vp9', av1: 'av1' }

/** Returns null for a codec without a decoder. */
export function toCodecConfig(stream: StreamDescription): CodecConfig | null {
  const { name, parameters, width, height, description } = stream
  const codec = codecs[name]
  if (!codec) return null
  const bits = readBits[codec](description ?? new Uint8Array(), parameters)
  const extradata = codec === 'vp8' || codec === 'vp9' ? null : description
  return { codec, width, height, extradata, bits }
}

const readBits: Record<Codec, (description: Uint8Array, parameters: string) => number> = {
  h264: readAvcBits,
  hevc: (description) => 8 + ((description[17] ?? 0) & 7),
  vp8: () => 8,
  vp9: (_description, parameters) => Number(parameters.split('.')[3] ?? 8),
  av1: (_description, parameters) => Number(parameters.split('.')[3] ?? 8),
}

/** Profiles with more than 8 bits: High 10, High 4:2:2, High 4:4:4 Predictive and CAVLC 4:4:4 Intra. */
const deepProfiles = [110, 122, 244, 44]

/** Reads the depth after the parameter sets of an avcC box (ISO/IEC 14496-15, 5.3.3.1). */
function readAvcBits(description: Uint8Array): number {
  const profile = description[1] ?? 0
  if (!deepProfiles.includes(profile)) return 8
  let at = 5
  for (const mask of [0x1f, 0xff]) {
    const count = (description[at++] ?? 0) & mask
    for (let index = 0; index < count && at + 2 <= description.length; index++) {
      at += 2 + (((description[at] ?? 0) << 8) | (description[at + 1] ?? 0))
    }
  }
  const depth = description[at + 1]
  return depth === undefined ? 10 : 8 + (depth & 7)
}
