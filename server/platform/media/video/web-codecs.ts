import type { VideoDecoder } from '@napi-rs/webcodecs'

type WebCodecs = typeof import('@napi-rs/webcodecs')

let loading: Promise<WebCodecs | null> | undefined

/** Loads the decoders and makes them global, as in a browser. Returns null on platforms for which there are none. */
export function loadWebCodecs(): Promise<WebCodecs | null> {
  loading ??= import('@napi-rs/webcodecs').then(
    (module) => {
      const { VideoFrame, EncodedVideoChunk, VideoColorSpace } = module
      const VideoDecoder = softwareOnly(module.VideoDecoder)
      Object.assign(globalThis, { VideoDecoder, VideoFrame, EncodedVideoChunk, VideoColorSpace })
      return { ...module, VideoDecoder }
    },
    () => null,
  )
  return loading
}

/** Drivers of graphics cards are not for files of strangers. */
const softwareOnly = (Decoder: typeof VideoDecoder): typeof VideoDecoder =>
  class extends Decoder {
    override configure(config: Parameters<VideoDecoder['configure']>[0]): void {
      super.configure({ ...config, hardwareAcceleration: 'prefer-software' })
    }
  }
