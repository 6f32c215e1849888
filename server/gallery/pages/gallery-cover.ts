import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import type { GalleryPageData } from '../../../contract/gallery/gallery-page.ts'
import { photoPath, picturePath, pictureSrcset, pictureWidths } from '../../../contract/gallery/gallery-tiles.ts'
import type { CoverFacts } from '../../events/cover-facts.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { levelCells } from '../../platform/media/image-tasks.ts'
import { placeholderUrl } from './photo-tiles.ts'

/** `facts` is null until the picture is measured. */
export type Cover = { photo: GalleryPhoto; facts: CoverFacts | null }

type CoverEvent = Pick<EventRow, 'event_name' | 'cover_layout' | 'cover_focus_x' | 'cover_focus_y'>

/** A phone shows only a part of a wide picture. For half the resolution of its screen, the smaller file is much faster. */
function pictureSizes(layout: EventRow['cover_layout'], { width, height }: GalleryPhoto): string {
  if (layout === 'split') return '(min-width: 48rem) 58vw, 100vw'
  if (layout === 'framed') return 'min(100vw, 76rem)'
  if (layout !== 'full' || !width || !height) return '100vw'
  return `(min-width: 48rem) 100vw, max(100vw, ${Math.round((50 * width) / height)}vh)`
}

const maxFilmBytes = 30 * 1024 * 1024

/** Whether the script plays the video of the cover over its still. A larger one would take too long on a phone. */
const isFilm = ({ media_type: type, size_bytes: bytes }: GalleryPhoto): boolean =>
  type === 'video' && bytes <= maxFilmBytes

export function coverPicture(
  data: GalleryPageData,
  { photo }: Cover,
  layout: EventRow['cover_layout'],
  loading: Html,
): Html {
  const widest = Math.max(...pictureWidths)
  const film = isFilm(photo) && html` data-film="${photoPath(data, photo.id)}"`
  return html`<div class="cover"${film}>${
    photo.thumbhash !== null && html`<img class="hash" src="${placeholderUrl(photo.thumbhash)}" alt="">`
  }<img src="${picturePath(data, photo.id, 1280)}" srcset="${pictureSrcset(data, photo, widest)}" sizes="${pictureSizes(layout, photo)}" alt=""${loading}></div>`
}

type Size = { width: number; height: number }

/** Windows below and from 48rem, the width at which web/assets/gallery.css changes the height of the cover. */
const windows: Record<'narrow' | 'wide', Size[]> = {
  narrow: ['360x600', '390x664', '390x844', '600x960', '760x1000'].map(parseSize),
  wide: ['768x1024', '844x390', '1024x768', '1280x720', '1440x900', '1920x1080', '2560x1080'].map(parseSize),
}

function parseSize(text: string): Size {
  const [width = 0, height = 0] = text.split('x').map(Number)
  return { width, height }
}

/** Returns the CSS of the page that keeps the focus in view and darkens the ground of the words as far as they need it. */
export function coverStyle(event: CoverEvent, { photo, facts }: Cover): string {
  const focus = { x: event.cover_focus_x ?? facts?.focusX ?? 50, y: event.cover_focus_y ?? facts?.focusY ?? 40 }
  const position = `:root{--cover-x:${focus.x}%;--cover-y:${focus.y}%}`
  if (event.cover_layout !== 'full' || !facts || facts.levels === '') return position
  // Nobody has measured the other pictures of a film.
  const levels = isFilm(photo) ? new Uint8Array(levelCells ** 2).fill(255) : Buffer.from(facts.levels, 'base64')
  const ratio = (photo.width ?? 3) / (photo.height ?? 2)
  const shade = (kind: keyof typeof windows) => {
    const shades = windows[kind].map(({ width, height }) => {
      const size = { width, height: kind === 'narrow' ? height : Math.max(0.64 * height, Math.min(height, 384)) }
      const words = Math.min(1, wordsHeight(event.event_name.length, size) / size.height)
      return shadeFor(brightest(levels, wordsArea({ ratio, focus, shape: width / size.height, words })))
    })
    return Math.max(...shades)
  }
  const strengths = `:root{--cover-shade:${shade('narrow')}}@media (min-width:48rem){:root{--cover-shade:${shade('wide')}}}`
  return position + strengths
}

/** Returns an upper estimate of the height of the words, in pixels, as web/assets/gallery.css and tokens.css set them. */
function wordsHeight(characters: number, { width, height }: Size): number {
  const size = characters > 50 ? 18 + 0.018 * width : Math.min(1.1 * (24 + 0.028 * width), 70)
  const lines = Math.ceil((characters * 0.62 * size) / (width - 40))
  const padding = width < 768 || height < 400 ? 104 : 48
  return lines * 1.35 * size + 128 + padding
}

type Area = { left: number; right: number; top: number; bottom: number }
type Placement = { ratio: number; focus: { x: number; y: number }; shape: number; words: number }

/** Returns the part of the photo behind the words, in shares of its size. `shape`: width / height of the cover. */
export function wordsArea({ ratio, focus, shape, words }: Placement): Area {
  const width = Math.min(1, shape / ratio)
  const height = Math.min(1, ratio / shape)
  const left = ((1 - width) * focus.x) / 100
  const bottom = ((1 - height) * focus.y) / 100 + height
  return { left, right: left + width, top: bottom - height * words, bottom }
}

function brightest(levels: Uint8Array, { left, right, top, bottom }: Area): number {
  const first = (share: number) => Math.min(levelCells - 1, Math.floor(share * levelCells + 1e-9))
  const last = (share: number) => Math.max(0, Math.ceil(share * levelCells - 1e-9) - 1)
  let highest = 0
  for (let row = first(top); row <= last(bottom); row++) {
    const cells = levels.subarray(row * levelCells + first(left), row * levelCells + last(right) + 1)
    highest = Math.max(highest, ...cells)
  }
  return highest
}

/** The brightest gray with a contrast of 4.7 to white; 4.5 is the minimum (WCAG 2.2, 1.4.3). */
const readableGray = 115

/** Returns the opacity of black that makes white words readable on this gray, from 0 to 0.55. */
const shadeFor = (gray: number): number => (gray <= readableGray ? 0 : Math.ceil(100 * (1 - readableGray / gray)) / 100)
