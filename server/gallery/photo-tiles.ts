import type { EventRow } from '../events/event-rows.ts'
import type { PhotoPage } from '../photos/list-photos.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { GalleryTexts } from './gallery-texts.ts'
import { tileFormatClass } from './tile-formats.ts'
import { mayDownload } from './viewing-rules.ts'

/** A photo and its number among all `total` photos of the gallery, from 1. */
export type Tile = { photo: PhotoPage['photos'][number]; number: number }

/** What all tiles of a page have in common. */
export type Wall = { event: EventRow; texts: GalleryTexts; total: number }

/** Rows of photos; nothing when there are none. `role`, as a list without bullets is none to some screen readers. */
export function photoGrid(wall: Wall, tiles: Tile[]): Html | null {
  if (tiles.length === 0) return null
  return html`<ul class="grid${wall.total <= 3 && ' few'}" role="list">
${tiles.map((tile) => html`<li class="tile ${tileFormatClass(tile.photo)}">${photoLinks(wall, tile)}</li>\n`)}</ul>`
}

/** One photo, large. */
export const coverTile = (wall: Wall, tile: Tile): Html =>
  html`<div class="cover ${tileFormatClass(tile.photo)}">${photoLinks(wall, tile)}</div>`

/** Photos up to this number are asked for at once, the others when they come near. */
const eagerCount = 8

function photoLinks({ event, texts, total }: Wall, { photo, number }: Tile): Html {
  const base = `/api/gallery/${event.slug}`
  const isVideo = photo.media_type === 'video'
  const name = isVideo ? texts.video(number, total) : texts.photo(number, total)
  const loading = number > eagerCount && html` loading="lazy"`
  // One that could not be looked into may not play either.
  const isPlayable = isVideo && photo.processing_status !== 'failed'
  const hasPicture = !isVideo || photo.still_filename !== null
  const shown = hasPicture
    ? html`<img src="${base}/thumbnail/${photo.id}" alt="${name}"${loading} decoding="async">`
    : html`<span class="unseen">${name}<br><bdi>${photo.original_filename}</bdi></span>`
  return html`<a class="photo${isPlayable && ' video'}" href="${base}/photo/${photo.id}">${shown}</a>
${mayDownload(event, photo) && html`<a class="download" href="${base}/download/${photo.id}" download aria-label="${texts.download}: ${name}"></a>`}`
}
