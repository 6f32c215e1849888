import { extname } from 'node:path'
import { AppError, invalidField } from '../platform/app-error.ts'
import { imageKinds } from '../platform/media/image-header.ts'
import type { RenditionFormat } from '../platform/media/image-tasks.ts'
import type { PhotoRow } from './photo-rows.ts'
import { type KeptFormat, type Look, type RenditionWish, wholePx } from './rendition-rows.ts'

/** The widths that pictures to look at come in, everywhere. */
export const ladder = [640, 1280, 1920, 2560]
const usualWidth = 1280
const maxBoxEdge = 16_384
/** Of a WebP; the other formats of the ladder keep to it as well. */
const maxEdge = 16_383

export type Box = { width: number; height: number }
type Sized = Pick<PhotoRow, 'width' | 'height'>

/** `?w=`: a width of the ladder; anything else, also nothing, 0 or a word, is 1280. */
export const askedWidth = (w: unknown): number => ladder.find((width) => String(width) === w) ?? usualWidth

/** The step that answers for this photo: those above its own width would all be the same picture. */
export const stepFor = (asked: number, { width }: Sized): number =>
  ladder.find((step) => step >= Math.min(asked, width ?? asked)) ?? asked

/** All steps that a photo of this size has, from the smallest: what is asked for at any width is one of them. */
export const stepsOf = (photo: Sized): number[] => [...new Set(ladder.map((step) => stepFor(step, photo)))]

/** The size that a photo has in this look, before any step of the ladder. */
export const sizeInLook = (photo: Sized, { capPx }: Pick<Look, 'capPx'>): Sized =>
  capPx === null ? photo : sizeInside(photo, { width: capPx, height: capPx })

/** What the picture wished for has to fit into. */
export function boxOfWish({ look, bound_px }: Omit<RenditionWish, 'format'>): Box {
  if (look.crop) return look.crop
  const capPx = look.capPx ?? wholePx
  const highest = bound_px === wholePx ? wholePx : maxEdge
  return { width: Math.min(bound_px, capPx), height: Math.min(highest, capPx) }
}

/** AVIF where it is offered and Accept names it, else WebP when it names that, else JPEG; `image/*` names nothing. */
export function acceptedFormat(accept: string | undefined, offers: { avif: boolean }): KeptFormat {
  const named = (accept ?? '').split(',').flatMap((one) => {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [type]
  })
  if (offers.avif && named.includes('image/avif')) return 'avif'
  return named.includes('image/webp') ? 'webp' : 'jpeg'
}

/** Whether `Accept` asks for an image rather than for what is known of it; whoever names JSON wants that. */
export function wantsPicture(accept = ''): boolean {
  const named = accept.split(',').map((one) => one.split(';')[0]?.trim().toLowerCase() ?? '')
  return named.some((type) => type.startsWith('image/')) && !named.includes('application/json')
}

/**
 * `?resolution=`: null for the original. Throws VALIDATION_ERROR for what is neither that nor WxH of 1 to 16384 each.
 */
export function boxOf(resolution = 'original'): Box | null {
  if (resolution === 'original') return null
  const [, width = 0, height = 0] = (/^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(resolution) ?? []).map(Number)
  if (width > 0 && width <= maxBoxEdge && height <= maxBoxEdge) return { width, height }
  throw invalidField('resolution', 'resolution must be original, or a width and a height of 1 to 16384 like 1920x1080.')
}

export const fitsInto = ({ width, height }: Sized, box: Box): boolean =>
  width !== null && height !== null && width <= box.width && height <= box.height

/** The size that a photo gets inside a box, at most. */
export function sizeInside({ width, height }: Sized, box: Box): Box {
  if (!width || !height) return box
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

/** A smaller picture to take home is of the kind of the original, where that is one that every program opens. */
export function sameFormat({ filename }: Pick<PhotoRow, 'filename'>): RenditionFormat {
  const formats: RenditionFormat[] = ['png', 'webp']
  return formats.find((format) => imageKinds[format].extension === extname(filename)) ?? 'jpeg'
}

/** Throws PHOTO_PROCESSING while a picture may still come, PREVIEW_UNAVAILABLE where there is none. */
export function assertHasPicture({
  media_type,
  processing_status,
  still_filename,
}: Pick<PhotoRow, 'media_type' | 'processing_status' | 'still_filename'>): void {
  if (media_type === 'image' || still_filename !== null) return
  throw processing_status === 'processing' ? stillProcessing() : new AppError('PREVIEW_UNAVAILABLE')
}

export const stillProcessing = (): AppError => new AppError('PHOTO_PROCESSING', { retryAfterSeconds: 5 })
