import type { GalleryPageData } from '../../../contract/gallery/gallery-page.ts'
import {
  downloadPath,
  photoPath,
  picturePath,
  pictureSrcset,
  pictureWidths,
  viewerHref,
  viewerQuery,
} from '../../../contract/gallery/gallery-tiles.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { GalleryI18n } from './gallery-i18n.ts'
import type { ShownPhoto } from './shown-photo.ts'

export const pageSize = 48

type Shown = ShownPhoto | 'missing' | null

export const isShownPhoto = (shown: Shown): shown is ShownPhoto => shown !== null && shown !== 'missing'

export function shownPhoto(i18n: GalleryI18n, data: GalleryPageData, galleryName: string, shown: Shown): Html | null {
  if (shown === null) return null
  return shown === 'missing' ? photoMissing(i18n) : photoPage(i18n, data, galleryName, shown)
}

/** With script, `web/gallery/viewer/` shows the photo, and browsers ignore the `noscript` element. */
function photoPage(i18n: GalleryI18n, data: GalleryPageData, galleryName: string, shown: ShownPhoto): Html {
  const { t } = i18n
  const { photo, asked, number, total, previous, next } = shown
  const name = t(photo.media_type === 'video' ? 'video' : 'photo', { number, total })
  const step = (id: number | null, rel: 'prev' | 'next', text: string) =>
    id === null
      ? html`<span></span>`
      : html`<a rel="${rel}" href="${viewerHref(data, asked, id)}"><span>${text}</span></a>`
  return html`<noscript><article class="alone">
<div class="alone-tools"><a class="back" href="${galleryAddress(data, shown)}"><bdi>${galleryName}</bdi></a>${
    photo.allow_download &&
    html`<a class="save" href="${downloadPath(data, photo.id)}" download aria-label="${t('download')}: ${name}">${t('download')}</a>`
  }</div>
<div class="stage">${picture(data, shown, name)}</div>
<nav class="steps" aria-label="${t('photos', { count: total })}">${step(previous, 'prev', t('previousPhoto'))}<h1>${name}</h1>${step(next, 'next', t('nextPhoto'))}</nav>
</article></noscript>`
}

export const photoStyle = html`<noscript><link rel="stylesheet" href="/assets/photo.css"></noscript>`

const photoMissing = ({ t }: GalleryI18n): Html => html`<noscript><p class="found">${t('photoMissing')}</p></noscript>`

function picture(data: GalleryPageData, { photo }: ShownPhoto, name: string): Html {
  const { id, width, height, thumbhash } = photo
  if (photo.media_type === 'video') {
    const poster = thumbhash !== null && html` poster="${picturePath(data, id, 1280)}"`
    return html`<video src="${photoPath(data, id)}" controls playsinline preload="metadata"${poster} aria-label="${name}"></video>`
  }
  const widest = Math.max(...pictureWidths)
  const ratio = Math.round(((width ?? 3) / (height ?? 2)) * 1000) / 1000
  return html`<a href="${photoPath(data, id)}"><img src="${picturePath(data, id, 1280)}" srcset="${pictureSrcset(data, photo, widest)}" sizes="min(100vw, ${ratio} * 100vh)" alt="${name}" fetchpriority="high"></a>`
}

function galleryAddress(data: GalleryPageData, { asked, number }: ShownPhoto): string {
  const page = Math.ceil(number / pageSize)
  const query = { ...asked, ...(page > 1 && { page: String(page) }), ...viewerQuery(data) }
  return `?${new URLSearchParams(query)}`
}
