import { isRawKind, type RawKind } from './raw/detect-raw-kind.ts'

export type ImageKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heic' | RawKind

type KindFacts = { extension: string; mimeType: string; bytesPerPixel: number }

export const imageKinds: Record<ImageKind, KindFacts> = {
  jpeg: { extension: '.jpg', mimeType: 'image/jpeg', bytesPerPixel: 6 },
  png: { extension: '.png', mimeType: 'image/png', bytesPerPixel: 4 },
  webp: { extension: '.webp', mimeType: 'image/webp', bytesPerPixel: 4 },
  gif: { extension: '.gif', mimeType: 'image/gif', bytesPerPixel: 4 },
  tiff: { extension: '.tiff', mimeType: 'image/tiff', bytesPerPixel: 4 },
  avif: { extension: '.avif', mimeType: 'image/avif', bytesPerPixel: 6 },
  heic: { extension: '.heic', mimeType: 'image/heic', bytesPerPixel: 6 },
  cr2: describeRaw('cr2', 'canon'),
  cr3: describeRaw('cr3', 'canon'),
  nef: describeRaw('nef', 'nikon'),
  arw: describeRaw('arw', 'sony'),
  raf: describeRaw('raf', 'fuji'),
  orf: describeRaw('orf', 'olympus'),
  rw2: describeRaw('rw2', 'panasonic'),
  dng: describeRaw('dng', 'adobe'),
  pef: describeRaw('pef', 'pentax'),
}

function describeRaw(kind: RawKind, maker: string): KindFacts {
  return { extension: `.${kind}`, mimeType: `image/x-${maker}-${kind}`, bytesPerPixel: 6 }
}

/**
 * Kinds that sharp and browsers cannot decode. They are shown by a JPEG that is made of them once (see `stills.ts`).
 */
export type ConvertedKind = 'heic' | RawKind

export const isConvertedKind = (kind: ImageKind): kind is ConvertedKind => kind === 'heic' || isRawKind(kind)
