/** The widths that pictures to look at come in. */
export const pictureWidths = [640, 1280, 1920, 2560] as const

/** The longest edge of a thumbnail, in pixels. */
export const thumbnailEdge = 480

/** So many photos, the first, have a stand-in in the page itself until they come. */
export const standInCount = 12

export type TilePhoto = { id: number; width: number | null; height: number | null }

/** Width by height, in thousandths; 3:2 where the size is unknown. Very long formats are cut to what a row can show. */
export function tileRatio({ width, height }: Pick<TilePhoto, 'width' | 'height'>): number {
  const ratio = width && height ? width / height : 1.5
  return Math.round(Math.min(Math.max(ratio, 0.4), 4) * 1000) / 1000
}

/** The class of a tile of that ratio; the page's style names those it shows before its script runs. */
export const ratioClass = (ratio: number): string => `r${Math.round(ratio * 1000)}`

/** The height that rows of tiles have at least: as gallery.css says it, and in pixels in a window of that width. */
export const rowHeightCss = 'clamp(140px, 96px + 13vw, 304px)'
export const rowHeightIn = (windowWidth: number): number => Math.min(Math.max(140, 96 + 0.13 * windowWidth), 304)

/** The space between tiles, likewise. */
export const gapCss = 'clamp(4px, 0.6vw, 8px)'
export const gapIn = (windowWidth: number): number => Math.min(Math.max(4, 0.006 * windowWidth), 8)

/** Rows grow to fill their width, by a quarter on the average; no tile is wider than the window. */
export const tileSizes = (ratio: number): string => `min(100vw, ${Math.round(ratio * 1250) / 1000} * ${rowHeightCss})`

/** How long a video plays, in minutes and seconds as players write them; nothing as long as nobody knows. */
export function playingTime(seconds: number | null): string {
  if (seconds === null) return ''
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Whose photos, and for whom: an operator who looks in says so in every address. */
export type Looking = { slug: string; viewer: { kind: 'guest' | 'operator' } }

/** What the addresses of an operator's page and of all on it hold besides. */
export const lookingQuery = ({ viewer }: Looking): { as?: 'operator' } =>
  viewer.kind === 'operator' ? { as: 'operator' } : {}

function mediaPath(looking: Looking, place: string, query: Record<string, string> = {}): string {
  const asked = new URLSearchParams({ ...query, ...lookingQuery(looking) }).toString()
  return `/api/gallery/${looking.slug}/${place}${asked && `?${asked}`}`
}

export const thumbnailPath = (looking: Looking, id: number): string => mediaPath(looking, `thumbnail/${id}`)
export const photoPath = (looking: Looking, id: number): string => mediaPath(looking, `photo/${id}`)
export const picturePath = (looking: Looking, id: number, width: number): string =>
  mediaPath(looking, `photo/${id}`, { w: String(width) })
/** Of this page, showing one photo, among those asked for. */
export const shownAddress = (looking: Looking, asked: Record<string, string>, id: number): string =>
  `?${new URLSearchParams({ ...asked, ...lookingQuery(looking), photo: String(id) })}`

/** The photo that an address names as `photo`; null for none, and for what is no id. */
export const photoNamed = (text: unknown): number | null =>
  typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

export const downloadPath = (looking: Looking, id: number): string => mediaPath(looking, `download/${id}`)

/** What a browser chooses from for a picture of at most `widest` pixels: never the original. */
export function pictureSet(looking: Looking, { id, width, height }: TilePhoto, widest: number): string {
  const thumbnailWidth = Math.round(thumbnailEdge * Math.min(1, (width ?? 3) / (height ?? 2)))
  const steps = pictureWidths.filter((step, index) => {
    const isUseful = index === 0 || (width ?? 0) > (pictureWidths[index - 1] ?? 0)
    return step <= widest && isUseful
  })
  const pictures = steps.map((step) => `${picturePath(looking, id, step)} ${Math.min(step, width ?? step)}w`)
  return [`${thumbnailPath(looking, id)} ${Math.min(thumbnailWidth, width ?? thumbnailWidth)}w`, ...pictures].join(', ')
}

/** The widest picture that a tile asks for: long ones stretch over several screens of pixels. */
export const widestOfTile = (ratio: number): number => (ratio > 2 ? 1280 : 640)
