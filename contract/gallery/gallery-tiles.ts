import { must } from '../must.ts'
/** Pixel widths of the renditions. */
export const pictureWidths = [640, 1280, 1920, 2560] as const

export const maxPictureWidth = must(pictureWidths.at(-1), 'picture width')

const thumbnailEdge = 480

/** The number of photos at the start of the grid that have an inline placeholder. */
export const inlinePlaceholderCount = 12

export type TilePhoto = { id: number; width: number | null; height: number | null }

/** Returns width / height, clamped to 0.4…4 and rounded to thousandths; 1.5 if the size is unknown. */
export function tileRatio({ width, height }: Pick<TilePhoto, 'width' | 'height'>): number {
  const ratio = width && height ? width / height : 1.5
  return Math.round(Math.min(Math.max(ratio, 0.4), 4) * 1000) / 1000
}

/**
 * The CSS class of a tile. The page defines it in a style element for the photos that it shows before its script runs.
 */
export const ratioClass = (ratio: number): string => `r${Math.round(ratio * 1000)}`

/** The minimum height of grid rows, as in web/assets/gallery.css. `rowHeightPx` returns it in pixels. */
export const rowHeightCss = 'clamp(140px, 96px + 13vw, 304px)'
export const rowHeightPx = (windowWidth: number): number => Math.min(Math.max(140, 96 + 0.13 * windowWidth), 304)

/** Small tiles have this share of the row height, as in web/assets/gallery.css. On a phone, two photos fit into a row. */
export const smallTileScale = 0.65
export const tileSizeCookie = 'tile_size'

/** The gap between tiles, as in web/assets/gallery.css. `gapPx` returns it in pixels. */
export const gapCss = 'clamp(4px, 0.6vw, 8px)'
export const gapPx = (windowWidth: number): number => Math.min(Math.max(4, 0.006 * windowWidth), 8)

/**
 * The value of the `sizes` attribute. Rows grow above their minimum height to fill the width, so this assumes a height
 * of 1.25 times the minimum.
 */
export function tileSizes(ratio: number, isSmall: boolean): string {
  const rows = 1.25 * ratio * (isSmall ? smallTileScale : 1)
  return `min(100vw, ${Math.round(rows * 1000) / 1000} * ${rowHeightCss})`
}

/** Returns the duration as `m:ss`, or an empty string if it is not known yet. */
export function formatPlayingTime(seconds: number | null): string {
  if (seconds === null) return ''
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** The gallery and its viewer. Every URL for an operator contains `as=operator`, and in a preview `as=guest`. */
export type ViewedGallery = { slug: string; viewer: { kind: 'guest' | 'operator'; is_preview?: boolean } }

export const viewerQuery = ({ viewer }: Pick<ViewedGallery, 'viewer'>): { as?: 'operator' | 'guest' } =>
  viewer.is_preview ? { as: 'guest' } : viewer.kind === 'operator' ? { as: 'operator' } : {}

function mediaPath(gallery: ViewedGallery, place: string, query: Record<string, string> = {}): string {
  const searchParams = new URLSearchParams({ ...query, ...viewerQuery(gallery) }).toString()
  return `/api/gallery/${gallery.slug}/${place}${searchParams && `?${searchParams}`}`
}

export const thumbnailPath = (gallery: ViewedGallery, id: number): string => mediaPath(gallery, `thumbnail/${id}`)
export const photoPath = (gallery: ViewedGallery, id: number): string => mediaPath(gallery, `photo/${id}`)
export const picturePath = (gallery: ViewedGallery, id: number, width: number): string =>
  mediaPath(gallery, `photo/${id}`, { w: String(width) })
/** The URL of the gallery page that opens this photo in the photo viewer. */
export const viewerHref = (gallery: ViewedGallery, searchParams: Record<string, string>, id: number): string =>
  `?${new URLSearchParams({ ...searchParams, ...viewerQuery(gallery), photo: String(id) })}`

/** Parses the `photo` parameter of a URL; null if it is missing or not an id. */
export const parsePhotoId = (text: unknown): number | null =>
  typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

export const downloadPath = (gallery: ViewedGallery, id: number): string => mediaPath(gallery, `download/${id}`)

/**
 * Returns a `srcset` of the thumbnail and the wider renditions up to `maxWidth`, each width once. It never contains the
 * original.
 */
export function pictureSrcset(gallery: ViewedGallery, { id, width, height }: TilePhoto, maxWidth: number): string {
  const fullWidth = width ?? Number.POSITIVE_INFINITY
  const thumbnailWidth = Math.min(Math.round(thumbnailEdge * Math.min(1, (width ?? 3) / (height ?? 2))), fullWidth)
  const steps = pictureWidths.filter((step, index) => {
    const narrowerWidth = pictureWidths[index - 1] ?? thumbnailWidth
    return step <= maxWidth && (index === 0 || width !== null) && fullWidth > narrowerWidth
  })
  const pictures = steps.map((step) => `${picturePath(gallery, id, step)} ${Math.min(step, fullWidth)}w`)
  return [`${thumbnailPath(gallery, id)} ${thumbnailWidth}w`, ...pictures].join(', ')
}

/** Very wide tiles need a larger rendition than others. */
export const maxTileWidth = (ratio: number): number => (ratio > 2 ? 1280 : 640)
