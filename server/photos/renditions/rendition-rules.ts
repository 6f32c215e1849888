import { extname } from 'node:path'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { imageKinds } from '../../platform/media/image-kinds.ts'
import type { RenditionFormat } from '../../platform/media/image-tasks.ts'
import type { PhotoRow } from '../photo-rows.ts'
import { fullSizePx, type RenditionProfile, type RenditionRequest, type StoredFormat } from './rendition-rows.ts'

export const narrowestPx = 640
/** Most screens show a photo in fewer pixels. So this width is made alone, and in advance only where it was requested. */
export const widestPx = 2560
export const standardWidths = [narrowestPx, 1280, 1920, widestPx]
const defaultWidth = 1280
const maxBoxEdge = 16_384
/** The maximum edge of a WebP picture. In all formats, it limits the height of pictures of a standard width. */
const maxEdge = 16_383

export type Box = { width: number; height: number }
type Sized = Pick<PhotoRow, 'width' | 'height'>

/** Parses `?w=`. Returns 1280 for anything but a standard width. */
export const parseWidth = (w: unknown): number => standardWidths.find((width) => String(width) === w) ?? defaultWidth

/**
 * Returns the smallest standard width that is at least `requested`, or at least the width of a narrower photo. Wider
 * renditions of a narrow photo would all be the same picture.
 */
export const chooseWidth = (requested: number, { width }: Sized): number =>
  standardWidths.find((step) => step >= Math.min(requested, width ?? requested)) ?? requested

/** Returns the widths that are made together: all standard widths of the photo below `widestPx`. */
export const listWidths = (photo: Sized): number[] =>
  [...new Set(standardWidths.map((step) => chooseWidth(step, photo)))].filter((width) => width < widestPx)

export const sizeInProfile = (photo: Sized, { capPx }: Pick<RenditionProfile, 'capPx'>): Sized =>
  capPx === null ? photo : scaleToFit(photo, { width: capPx, height: capPx })

export function requestedBox({ profile, bound_px }: Omit<RenditionRequest, 'format'>): Box {
  if (profile.crop) return profile.crop
  const capPx = profile.capPx ?? fullSizePx
  const highest = bound_px === fullSizePx ? fullSizePx : maxEdge
  return { width: Math.min(bound_px, capPx), height: Math.min(highest, capPx) }
}

/** Returns AVIF or WebP only if `Accept` names it; `image/*` does not count. */
export function negotiateFormat(accept: string | undefined, offers: { avif: boolean }): StoredFormat {
  const named = (accept ?? '').split(',').flatMap((one) => {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [type]
  })
  if (offers.avif && named.includes('image/avif')) return 'avif'
  return named.includes('image/webp') ? 'webp' : 'jpeg'
}

/** Whether `Accept` names an image type but not JSON. */
export function prefersPicture(accept = ''): boolean {
  const named = accept.split(',').map((one) => one.split(';')[0]?.trim().toLowerCase() ?? '')
  return named.some((type) => type.startsWith('image/')) && !named.includes('application/json')
}

/** Returns null for the original. Throws VALIDATION_ERROR. */
export function parseResolution(resolution = 'original'): Box | null {
  if (resolution === 'original') return null
  const [, width = 0, height = 0] = (/^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(resolution) ?? []).map(Number)
  if (width > 0 && width <= maxBoxEdge && height <= maxBoxEdge) return { width, height }
  throw invalidField('resolution', 'must be original, or a width and a height of 1 to 16384, such as 1920x1080')
}

export const fitsInto = ({ width, height }: Sized, box: Box): boolean =>
  width !== null && height !== null && width <= box.width && height <= box.height

/** Never enlarges; returns the box if the size of the photo is unknown. */
export function scaleToFit({ width, height }: Sized, box: Box): Box {
  if (!width || !height) return box
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

/** Returns PNG or WebP for an original of that format, and JPEG for all others. */
export function getResizedFormat({ filename }: Pick<PhotoRow, 'filename'>): RenditionFormat {
  const formats: RenditionFormat[] = ['png', 'webp']
  return formats.find((format) => imageKinds[format].extension === extname(filename)) ?? 'jpeg'
}

type PictureColumns = 'media_type' | 'processing_status' | 'still_filename'

/** For a video without a still, throws PHOTO_PROCESSING during its processing, and PREVIEW_UNAVAILABLE afterwards. */
export function assertHasPicture(photo: Pick<PhotoRow, PictureColumns>): void {
  if (photo.media_type === 'image' || photo.still_filename !== null) return
  throw photo.processing_status === 'processing' ? createProcessingError() : new AppError('PREVIEW_UNAVAILABLE')
}

export const createProcessingError = (): AppError => new AppError('PHOTO_PROCESSING', { retryAfterSeconds: 5 })
