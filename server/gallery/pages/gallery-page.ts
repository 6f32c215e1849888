import { categoryName } from '../../../contract/category-names.ts'
import {
  dayOf,
  type GalleryListQueryParams,
  type GalleryPageData,
  pageDataId,
  revealFormat,
} from '../../../contract/gallery/gallery-page.ts'
import { viewerQuery } from '../../../contract/gallery/gallery-tiles.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { isExpired } from '../../events/event-rules.ts'
import { type Html, html, jsonData } from '../../platform/html/html.ts'
import type { Page } from '../../platform/html/page-document.ts'
import { findBuiltScript } from '../../platform/html/web-build.ts'
import { studioMark } from '../../settings/brand-markup.ts'
import type { ShownFirstLook } from '../first-look/guest-first-look.ts'
import type { LinkPreview } from './cover-picture.ts'
import { type Cover, coverPicture, coverStyle } from './gallery-cover.ts'
import type { GalleryI18n } from './gallery-i18n.ts'
import { formatLongDate, heading, type PageFrame, page } from './page-frame.ts'
import { isShownPhoto, pageSize, photoStyle, shownPhoto } from './photo-page.ts'
import { photoGrid, ratioStyle } from './photo-tiles.ts'
import { getPickKey, picksBar } from './picks-bar.ts'
import type { ShownPhoto } from './shown-photo.ts'
import { formatPlainWelcome, renderWelcomeText } from './welcome-text.ts'

export type GalleryPageContent = {
  event: EventRow
  data: GalleryPageData
  /** The first page is 1. */
  pageNumber: number
  pages: number
  /** Null unless guests are told that more photos are coming. */
  firstLook: ShownFirstLook | null
  /** Whether the header is a cover, with or without a picture. */
  isCover: boolean
  /** The picture of the cover. */
  cover: Cover | null
  hiddenCount: number
  /** Null if the link has no public preview. */
  linkPreview: LinkPreview | null
  /** Null if the URL names no photo; 'missing' if that photo does not exist or the viewer may not see it. */
  shown: ShownPhoto | 'missing' | null
}

/** The gallery page, which works without script. With script, `web/gallery/start.tsx` takes it over. */
export function galleryPage(frame: PageFrame, content: GalleryPageContent): Page {
  const { data, pageNumber } = content
  const { i18n } = frame
  const { photos, filtered, event } = data
  const isHidden = event.hidden_until_reveal && data.viewer.kind === 'guest'
  const first = (pageNumber - 1) * pageSize + 1
  const tiles = photos.map((photo, index) => ({ photo, number: first + index }))
  const picks = !isHidden && picksBar(frame, data)
  const body = html`${picks && html`<a class="skip" href="#picks">${i18n.t('skipToPicks')}</a>`}${header(frame, content)}
<main id="gallery">
${!isHidden && shownPhoto(frame.i18n, data, event.event_name, content.shown)}
${operatorNote(frame, content)}
${firstLookNotice(frame, content)}
${isHidden && event.reveal_at !== null ? revealNotice(frame, event.reveal_at) : html`${nameBar(frame, content)}${tools(frame, data)}`}
<div id="photos">${!isHidden && filtered === 0 && emptyNotice(frame, content)}${photoGrid({ ...data, i18n, hasPictureAbove: content.cover !== null || isShownPhoto(content.shown) }, tiles)}</div>
${pageLinks(frame, content)}
</main>
${picks}
${jsonData(pageDataId, data)}`
  const { event: row, linkPreview } = content
  const description = formatPlainWelcome(row.welcome_message) || formatFacts(i18n, row, data)
  const style = ratioStyle(photos) + (content.cover ? coverStyle(row, content.cover) : '')
  const head = html`${linkPreview && previewTags(frame, linkPreview, description)}${isShownPhoto(content.shown) && photoStyle}`
  const script = findBuiltScript('gallery/start.tsx')
  return page(frame, body, { head, script, style, hasLateText: content.cover !== null })
}

function previewTags({ title, i18n, settings }: PageFrame, preview: LinkPreview, description: string): Html {
  const tag = (property: string, content: string | number) => html`<meta property="${property}" content="${content}">\n`
  const studio = settings.branding_studio_name
  return html`${[
    tag('og:type', 'website'),
    tag('og:title', title),
    tag('og:url', preview.url),
    tag('og:locale', i18n.locale),
    studio !== '' && tag('og:site_name', studio),
    description !== '' && tag('og:description', description),
    tag('og:image', preview.pictureUrl),
    tag('og:image:type', 'image/jpeg'),
    tag('og:image:width', preview.width),
    tag('og:image:height', preview.height),
    tag('og:image:alt', title),
  ]}<meta name="twitter:card" content="summary_large_image">
<link rel="alternate" type="application/json+oembed" href="${oembedUrl(preview)}" title="${title}">
`
}

function oembedUrl({ url }: LinkPreview): string {
  const address = new URL('/api/oembed', url)
  address.search = new URLSearchParams({ url, format: 'json' }).toString()
  return address.href
}

function header(frame: PageFrame, content: GalleryPageContent): Html {
  const { event, data, cover, isCover } = content
  const { i18n } = frame
  const { header_style: chosen, cover_layout: layout } = event
  const style = isCover ? `hero cover-${layout}` : chosen === 'hero' ? 'standard' : chosen
  const loading = isShownPhoto(content.shown) ? html` loading="lazy"` : html` fetchpriority="high"`
  return html`<header class="header-${style}">
${cover && coverPicture(data, cover, layout, loading)}
<div class="title">
${studioMark(frame)}${heading(event.event_name)}
<p class="facts">${factsHtml(frame, content)}</p>
</div>
${renderWelcomeText(event.welcome_message, { language: event.language, pageLanguage: i18n.locale, moreLabel: i18n.t('readMore') })}
</header>`
}

/** `web/gallery/filters/photo-counts.tsx` updates the count. */
function factsHtml({ i18n, now }: PageFrame, { event, data, firstLook }: GalleryPageContent): Html {
  const about = firstLook && data.total < firstLook.aboutCount ? firstLook.aboutCount : null
  const count = about === null ? formatTotal(i18n, data) : i18n.t('firstLookCount', { count: data.total, about })
  const facts = [
    formatDate(i18n, event),
    data.total > 0 && html`<span id="photo-count"${about !== null && html` data-about="${about}"`}>${count}</span>`,
    firstLook && data.total === 0 && html`<span>${i18n.t('firstLookSoon')}</span>`,
    firstLook?.completeOn &&
      html`<span>${i18n.t('firstLookBy', { date: dayOf(i18n.locale, firstLook.completeOn, now, 'UTC') })}</span>`,
  ].filter(Boolean)
  return html`${facts.map((fact, index) => html`${index > 0 && ' · '}${fact ?? null}`)}`
}

/** `web/gallery/start.tsx` opens the dialog. */
const firstLookNotice = ({ i18n }: PageFrame, { firstLook }: GalleryPageContent): Html | null =>
  firstLook?.isAsked == null
    ? null
    : html`<p class="first-look" id="first-look">${
        firstLook.isAsked
          ? i18n.t('firstLookAsked')
          : html`<button type="button" class="link">${i18n.t('firstLookAsk')}</button>`
      }</p>`

const formatFacts = (i18n: GalleryI18n, event: EventRow, data: GalleryPageData): string =>
  [formatDate(i18n, event), data.total > 0 && formatTotal(i18n, data)].filter(Boolean).join(' · ')

const formatDate = (i18n: GalleryI18n, { event_date }: EventRow): string =>
  event_date ? formatLongDate(i18n, Date.parse(event_date)) : ''

const formatTotal = ({ t }: GalleryI18n, { total, video_count }: GalleryPageData): string =>
  formatPhotoCount(t, total, video_count)

function operatorNote({ i18n, now }: PageFrame, { event, data, hiddenCount }: GalleryPageContent): Html | null {
  if (data.viewer.is_preview) {
    const state = isExpired(event, now) ? html` <strong>${i18n.t('previewExpired')}</strong>` : null
    return html`<p class="operator-note">${i18n.t('previewNote')}${state}</p>`
  }
  return hiddenCount > 0 ? html`<p class="operator-note">${i18n.t('hiddenShown', { count: hiddenCount })}</p>` : null
}

/** With script, it is above the tools while the header is out of the window (`web/gallery/start.tsx`). */
const nameBar = ({ i18n }: PageFrame, { event, data }: GalleryPageContent): Html | null =>
  data.total === 0 || event.header_style === 'none'
    ? null
    : html`<p class="name-bar" aria-hidden="true"><bdi>${event.event_name}</bdi><span>${formatTotal(i18n, data)}</span></p>\n`

/** Filters as links. `web/gallery/toolbar/tools.tsx` replaces them. */
function tools({ i18n }: PageFrame, data: GalleryPageData): Html | null {
  const { categories, asked, total, filtered } = data
  if (total === 0) return null
  const { sort, order, ...filters } = asked
  const chip = (text: string, filter: GalleryListQueryParams, isOn: boolean, kind = 'chip') => {
    const href = createHref(data, { ...filter, ...(sort && { sort }), ...(order && { order }) })
    return html`<a class="${kind}" href="${href}"${isOn && html` aria-current="true"`}><bdi>${text}</bdi></a>`
  }
  const picked = getPickKey(data)
  const isFiltered = Object.keys(filters).length > 0
  return html`<div class="tools" id="tools"><nav class="chips" aria-label="${i18n.t('filters')}">${[
    chip(i18n.t('all'), {}, !isFiltered),
    picked && chip(i18n.t('myPicks'), { filter: picked }, parseFilterNames(asked).includes(picked), 'chip mine'),
    categories.map((category) => {
      const id = String(category.id)
      return chip(categoryName(i18n.t, category), { category_id: id }, asked.category_id === id)
    }),
  ]}</nav></div>
<p class="found" id="found" role="status">${isFiltered && i18n.t('foundOf', { found: filtered, photos: formatTotal(i18n, data) })}</p>`
}

const parseFilterNames = ({ filter = '' }: GalleryListQueryParams): string[] => filter.split(',')

const createHref = (data: GalleryPageData, query: Record<string, string>): string =>
  `?${new URLSearchParams({ ...query, ...viewerQuery(data) })}`

function emptyNotice({ i18n }: PageFrame, { data, firstLook }: GalleryPageContent): Html | null {
  if (data.total === 0 && firstLook) return null
  if (data.total === 0) return html`<p class="notice">${i18n.t('empty')}</p>`
  const { asked, counts } = data
  const key = getPickKey(data)
  return html`<p class="notice">${i18n.t(key && asked.filter === key && counts[key] === 0 ? 'submitNothing' : 'nothingFound')} <a href="${createHref(data, {})}">${i18n.t('showAll')}</a></p>`
}

/**
 * The time is in UTC until `web/gallery/reveal/countdown.ts` replaces it. The remaining seconds come from the server,
 * because clocks of guests can be wrong.
 */
function revealNotice({ i18n, now }: PageFrame, revealAt: string): Html {
  const at = Date.parse(revealAt)
  const when = new Intl.DateTimeFormat(i18n.locale, { ...revealFormat, timeZone: 'UTC' }).format(at)
  const [before = '', after = ''] = i18n.t('hiddenUntil', { when: '\n' }).split('\n')
  const seconds = Math.max(0, Math.ceil((at - now) / 1000))
  return html`<div class="reveal" id="reveal" data-seconds="${seconds}">
<div class="countdown" role="timer"></div>
<p>${before}<time datetime="${revealAt}">${when}</time>${after}</p>
</div>`
}

function pageLinks({ i18n }: PageFrame, { data, pageNumber, pages }: GalleryPageContent): Html | null {
  if (pages <= 1) return null
  const href = (page: number) => createHref(data, { ...data.asked, page: String(page) })
  return html`<nav class="pages" id="pages">
${pageNumber > 1 ? html`<a rel="prev" href="${href(pageNumber - 1)}">${i18n.t('previous')}</a>` : null}
<span>${i18n.t('pageOf', { page: pageNumber, pages })}</span>
${pageNumber < pages ? html`<a rel="next" href="${href(pageNumber + 1)}">${i18n.t('next')}</a>` : null}
</nav>`
}
