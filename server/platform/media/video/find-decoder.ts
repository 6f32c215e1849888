import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/** Most platforms have no such package. */
export const getDecoderPackage = (): string => `@node-webcodecs/static-${process.platform}-${process.arch}`

/** Without a decoder, videos get a neutral picture, and HEIC files are rejected with this text. */
export const noDecoderText = `This service cannot decode HEIC, because there is no decoder for its platform (${process.platform}-${process.arch}).`

/** Whether there is a decoder for this platform. Does not load it. */
export function hasDecoder(): boolean {
  try {
    resolve(getDecoderPackage())
    return true
  } catch {
    return false
  }
}
