import { createQrCodePath } from '../../../shared/draw-qr-code.ts'
import { saveBlob } from '../../../shared/save-blob.ts'
import type { Event } from '../event-context.tsx'

/** The minimum in pixels; large enough to print a table sign. */
const pngWidth = 1200

const createSvg = (text: string, width: number): string => {
  const { size, path } = createQrCodePath(text)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`
}

export const downloadSvg = ({ share_url, slug }: Event): void =>
  saveBlob(new Blob([createSvg(share_url, 600)], { type: 'image/svg+xml' }), `${slug}.svg`)

/** Draws with an integer scale, so that each square has sharp edges. */
export async function downloadPng({ share_url, slug }: Event): Promise<void> {
  const { size, path } = createQrCodePath(share_url)
  const scale = Math.ceil(pngWidth / size)
  const canvas = document.createElement('canvas')
  canvas.width = size * scale
  canvas.height = size * scale
  const context = canvas.getContext('2d')
  if (!context) return
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  context.fillStyle = '#000'
  context.fill(new Path2D(path))
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob) saveBlob(blob, `${slug}.png`)
}
