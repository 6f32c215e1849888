export type ImageKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heic'

export const imageKinds: Record<ImageKind, { extension: string; mimeType: string; bytesPerPixel: number }> = {
  jpeg: { extension: '.jpg', mimeType: 'image/jpeg', bytesPerPixel: 6 },
  png: { extension: '.png', mimeType: 'image/png', bytesPerPixel: 4 },
  webp: { extension: '.webp', mimeType: 'image/webp', bytesPerPixel: 4 },
  gif: { extension: '.gif', mimeType: 'image/gif', bytesPerPixel: 4 },
  tiff: { extension: '.tiff', mimeType: 'image/tiff', bytesPerPixel: 4 },
  avif: { extension: '.avif', mimeType: 'image/avif', bytesPerPixel: 6 },
  heic: { extension: '.heic', mimeType: 'image/heic', bytesPerPixel: 6 },
}
