import type { GalleryPhoto } from '../../contract/gallery.ts'
import { type GalleryAsked, type GalleryPageData, pageDataId, revealFormat } from '../../contract/gallery-page.ts'
import { picturePath, pictureSet, pictureWidths, viewerQuery } from '../../contract/gallery-tiles.ts'
import type { EventRow } from '../events/event-rows.ts'
import { type Html, html, jsonData } from '../platform/http/html.ts'
import type { Page } from '../platform/http/page-document.ts'
import { builtScript } from '../platform/http/web-build.ts'
import type { LinkPreview } from './cover-picture.ts'
import type { GalleryVoice } from './gallery-texts.ts'
import { heading, longDate, type PageFrame, page } from './page-frame.ts'
import { pageSize } from './page-size.ts'
import { isShowing, photoStyle, shownPhoto } from './photo-page.ts'
import { photoGrid, ratioStyle, standIn } from './photo-tiles.ts'
import { picksBar } from './picks-bar.ts'
import { previewTags } from './preview-tags.ts'
import type { ShownPhoto } from './shown-photo.ts'
import { plainWelcome, renderWelcomeText } from './welcome-text.ts'

export type GalleryPageContent = {
  event: EventRow
  data: GalleryPageData
  /** From 1. */
  pageNumber: number
  pages: number
  cover: GalleryPhoto | null
  hiddenCount: number
  /** Null if the link has no public preview. */
  linkPreview: LinkPreview | null
  /** The photo that the URL names; 'missing' if the viewer may not see it. */
  shown: ShownPhoto | 'missing' | null
}

/** The gallery page without script; `web/gallery/start.tsx` takes it over. */
export function galleryPage(frame: PageFrame, content: GalleryPageContent): Page {
  const { data, pageNumber, pages } = content
  const { voice } = frame
  const { photos, filtered, event } = data
  const isHidden = event.hidden_until_reveal && data.viewer.kind === 'guest'
  const first = (pageNumber - 1) * pageSize + 1
  const tiles = photos.map((photo, index) => ({ photo, number: first + index }))
  const body = html`${header(frame, content)}
<main id="gallery">
${!isHidden && shownPhoto(frame.voice, data, event.event_name, content.shown)}
${hiddenNote(frame, content)}
${isHidden && event.reveal_at !== null ? beforeReveal(frame, event.reveal_at) : tools(frame, data)}
<div id="photos">${!isHidden && filtered === 0 && emptyNotice(frame, data)}${photoGrid({ ...data, voice, isBelow: content.cover !== null || isShowing(content.shown) }, tiles)}</div>
${pageLinks(frame, content, pages)}
</main>
${!isHidden && picksBar(frame, data)}
${jsonData(pageDataId, data)}`
  const { event: row, linkPreview } = content
  const said = plainWelcome(row.welcome_message) || factsOf(voice, row, data.total)
  const head = html`${drawnWhole}${linkPreview && previewTags(frame, linkPreview, said)}${isShowing(content.shown) && photoStyle}`
  return page(frame, body, { head, script: builtScript('gallery/start.tsx'), style: ratioStyle(photos) })
}

/** Delays the first paint until the grid is parsed; a partial page would shift. */
const drawnWhole = html`<link rel="expect" href="#photos" blocking="render">`

function header({ voice }: PageFrame, content: GalleryPageContent): Html {
  const { event, data, cover } = content
  const style = event.header_style === 'hero' && !cover ? 'standard' : event.header_style
  return html`<header class="header-${style}">
${cover && coverPicture(data, cover, isShowing(content.shown))}
<div class="title">
${heading(event.event_name)}
<p class="facts">${shownFacts(voice, event, data.total)}</p>
</div>
${renderWelcomeText(event.welcome_message)}
</header>`
}

/** `web/gallery/tools/photo-count.ts` updates the count. */
function shownFacts(voice: GalleryVoice, event: EventRow, total: number): Html {
  const date = factsOf(voice, event, 0)
  if (total === 0) return html`${date}`
  return html`${date && `${date} · `}<span id="photo-count">${voice.t('photos', { count: total })}</span>`
}

function factsOf(voice: GalleryVoice, { event_date }: EventRow, total: number): string {
  const date = event_date && longDate(voice, Date.parse(event_date))
  return [date, total > 0 && voice.t('photos', { count: total })].filter(Boolean).join(' · ')
}

const hiddenNote = ({ voice }: PageFrame, { hiddenCount }: GalleryPageContent): Html | null =>
  hiddenCount > 0 ? html`<p class="hidden-note">${voice.t('hiddenShown', { count: hiddenCount })}</p>` : null

function coverPicture(data: GalleryPageData, photo: GalleryPhoto, isBehind: boolean): Html {
  const widest = pictureWidths.at(-1) ?? 0
  return html`<div class="cover">${
    photo.thumbhash !== null && html`<img class="hash" src="${standIn(photo.thumbhash)}" alt="">`
  }<img src="${picturePath(data, photo.id, 1280)}" srcset="${pictureSet(data, photo, widest)}" sizes="100vw" alt=""${isBehind ? html` loading="lazy"` : html` fetchpriority="high"`}></div>`
}

/** Filters as links. `web/gallery/tools/tools.tsx` replaces them. */
function tools({ voice }: PageFrame, data: GalleryPageData): Html | null {
  const { categories, asked, viewer, feedback, total, filtered } = data
  if (total === 0) return null
  const { sort, order, ...filters } = asked
  const chip = (text: string, filter: GalleryAsked, isOn: boolean, kind = 'chip') => {
    const href = addressOf(data, { ...filter, ...(sort && { sort }), ...(order && { order }) })
    return html`<a class="${kind}" href="${href}"${isOn && html` aria-current="true"`}><bdi>${text}</bdi></a>`
  }
  const picked = feedback.allow_favorites ? 'favorited' : 'liked'
  const mayPick = feedback.feedback_enabled && (feedback.allow_favorites || feedback.allow_likes)
  const isFiltered = Object.keys(filters).length > 0
  return html`<div class="tools" id="tools"><nav class="chips" aria-label="${voice.t('filters')}">${[
    chip(voice.t('all'), {}, !isFiltered),
    viewer.kind === 'guest' &&
      mayPick &&
      chip(voice.t('myPicks'), { filter: picked }, parseFilterNames(asked).includes(picked), 'chip mine'),
    categories.map(({ id, name }) => chip(name, { category_id: String(id) }, asked.category_id === String(id))),
  ]}</nav></div>
<p class="found" id="found" role="status">${isFiltered && voice.t('foundOf', { found: filtered, photos: voice.t('photos', { count: total }) })}</p>`
}

const parseFilterNames = ({ filter = '' }: GalleryAsked): string[] => filter.split(',')

const addressOf = (data: GalleryPageData, query: Record<string, string>): string =>
  `?${new URLSearchParams({ ...query, ...viewerQuery(data) })}`

function emptyNotice({ voice }: PageFrame, data: GalleryPageData): Html {
  if (data.total === 0) return html`<p class="notice">${voice.t('empty')}</p>`
  return html`<p class="notice">${voice.t('nothingFound')} <a href="${addressOf(data, {})}">${voice.t('showAll')}</a></p>`
}

/**
 * Without script the time is in UTC; `web/gallery/reveal/countdown.ts` replaces it. The remaining seconds come from the
 * server, because clocks of guests can be wrong.
 */
function beforeReveal({ voice, now }: PageFrame, revealAt: string): Html {
  const at = Date.parse(revealAt)
  const when = new Intl.DateTimeFormat(voice.locale, { ...revealFormat, timeZone: 'UTC' }).format(at)
  const [before = '', after = ''] = voice.t('hiddenUntil', { when: '\n' }).split('\n')
  const seconds = Math.max(0, Math.ceil((at - now) / 1000))
  return html`<div class="reveal" id="reveal" data-seconds="${seconds}">
<div class="countdown" role="timer"></div>
<p>${before}<time datetime="${revealAt}">${when}</time>${after}</p>
</div>`
}

function pageLinks({ voice }: PageFrame, { data, pageNumber }: GalleryPageContent, pages: number): Html | null {
  if (pages <= 1) return null
  const href = (page: number) => addressOf(data, { ...data.asked, page: String(page) })
  return html`<nav class="pages" id="pages">
${pageNumber > 1 ? html`<a rel="prev" href="${href(pageNumber - 1)}">${voice.t('previous')}</a>` : null}
<span>${voice.t('pageOf', { page: pageNumber, pages })}</span>
${pageNumber < pages ? html`<a rel="next" href="${href(pageNumber + 1)}">${voice.t('next')}</a>` : null}
</nav>`
}
