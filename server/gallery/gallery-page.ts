import type { SettingValues } from '../../contract/settings.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { PhotoPage } from '../photos/list-photos.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { Refusal } from '../platform/refusal.ts'
import { logoPath } from '../settings/branding.ts'
import type { Logo } from '../settings/settings.ts'
import type { ContinueLink } from './continue-guest.ts'
import type { GalleryTexts } from './gallery-texts.ts'
import type { PasswordForm } from './gallery-visits.ts'
import { coverTile, photoGrid } from './photo-tiles.ts'

export type PageFrame = {
  texts: GalleryTexts
  settings: SettingValues
  logo: Logo | null
  title: string
  theme: string
  pictureUrl?: string | null
}

export type GalleryPageContent = {
  event: EventRow
  photos: PhotoPage['photos']
  total: number
  page: number
  pages: number
  isBeforeReveal: boolean
}

/** A whole document that shows without script; `body` is what stands between header and footer. */
function document({ texts, settings, logo, title, theme, pictureUrl }: PageFrame, body: Html): string {
  const { branding_imprint_url: imprint, branding_privacy_url: privacy, branding_studio_name: studio } = settings
  return `<!doctype html>${
    html`<html lang="${texts.locale}" class="theme-${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${pictureUrl ? linkPreview(title, pictureUrl) : null}
<link rel="stylesheet" href="/assets/themes.css">
<link rel="stylesheet" href="/assets/gallery.css">
${settings.branding_accent ? html`<link rel="stylesheet" href="/branding/style.css">` : null}
</head>
<body>
${body}
<footer>
${logo ? html`<img class="logo" src="${logoPath}" alt="" width="${logo.width}" height="${logo.height}">` : null}
${studio ? html`<span>${studio}</span>` : null}
${imprint ? html`<a href="${imprint}">${texts.imprint}</a>` : null}
${privacy ? html`<a href="${privacy}">${texts.privacy}</a>` : null}
</footer>
</body>
</html>`.text
  }`
}

/** What messengers show where somebody sends the link. */
const linkPreview = (title: string, pictureUrl: string): Html => html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:image" content="${pictureUrl}">
<meta name="twitter:card" content="summary_large_image">`

export function galleryPage(frame: PageFrame, content: GalleryPageContent): string {
  const { event, photos, total, page, isBeforeReveal } = content
  const { texts } = frame
  const wall = { event, texts, total }
  const tiles = photos.map((photo, index) => ({ photo, number: (page - 1) * pageSize + index + 1 }))
  const hasCover = event.header_style === 'hero' && page === 1 && tiles.length > 3
  const chosen = tiles.findIndex(({ photo }) => photo.id === event.cover_photo_id)
  const [cover] = hasCover ? tiles.splice(Math.max(chosen, 0), 1) : []
  return document(
    frame,
    html`${header(content, texts, cover ? coverTile(wall, cover) : null)}
<main>
${isBeforeReveal && event.reveal_at !== null && notice(texts.hiddenUntil(longDate(texts, event.reveal_at)))}
${!isBeforeReveal && total === 0 && notice(texts.empty)}
${photoGrid(wall, tiles)}
${pageLinks(content, texts)}
</main>`,
  )
}

/** Photos on one page of the gallery. */
export const pageSize = 60

/** In the event's header style; a hero without a cover is a standard one. */
function header({ event, total }: GalleryPageContent, texts: GalleryTexts, cover: Html | null): Html {
  const date = event.event_date ? longDate(texts, Date.parse(event.event_date)) : null
  const style = event.header_style === 'hero' && !cover ? 'standard' : event.header_style
  return html`<header class="header-${style}">
<div class="title">
${heading(event.event_name)}
<p class="facts">${[date, total > 0 && texts.photos(total)].filter(Boolean).join(' · ')}</p>
${paragraphs(event.welcome_message)}
</div>
${cover}
</header>`
}

/** Names come in every length and direction. */
const heading = (name: string): Html => html`<h1 dir="auto"${name.length > 50 && html` class="long"`}>${name}</h1>`

function pageLinks({ page, pages }: GalleryPageContent, texts: GalleryTexts): Html | null {
  if (pages <= 1) return null
  return html`<nav class="pages">
${page > 1 ? html`<a rel="prev" href="?page=${page - 1}">${texts.previous}</a>` : null}
<span>${texts.pageOf(page, pages)}</span>
${page < pages ? html`<a rel="next" href="?page=${page + 1}">${texts.next}</a>` : null}
</nav>`
}

/** Asks for the password; a plain form, so that it works without script and inside in-app browsers. */
export function passwordPage(
  frame: PageFrame,
  { form, refusal }: { form: PasswordForm; refusal: Refusal | null },
): string {
  const { texts, title } = frame
  const isRefused = refusal !== null
  const refused = refusal?.code === 'RATE_LIMITED' ? texts.passwordLimited : texts.passwordWrong
  return document(
    frame,
    html`<main class="card">
${heading(title)}
<form method="post" action="/gallery/${form.slug}/enter">
<p id="why"${isRefused && html` class="wrong"`}>${isRefused ? refused : texts.passwordWanted}</p>
<label>${texts.password}
<input name="password" type="password" required maxlength="200" autocomplete="current-password" autofocus aria-describedby="why"${isRefused && html` aria-invalid="true"`}>
</label>
<input type="hidden" name="share_token" value="${form.shareToken}">
<button>${texts.open}</button>
</form>
</main>`,
  )
}

/** One button, since merely opening a link must not use it up. Without a link: why there is none any more. */
export const continuePage = (frame: PageFrame, link: ContinueLink | null): string =>
  document(
    frame,
    html`<main class="card">
${heading(frame.title)}
<p>${link ? frame.texts.continueHere : frame.texts.usedUp}</p>
${
  link &&
  html`<form method="post" action="/gallery/${link.slug}/continue/${link.linkToken}">
<button>${frame.texts.continue}</button>
</form>`
}
</main>`,
  )

export const messagePage = (frame: PageFrame, message: string): string =>
  document(
    frame,
    html`<main class="card">
${heading(frame.title)}
<p>${message}</p>
</main>`,
  )

const notice = (text: string): Html => html`<p class="notice">${text}</p>`

const paragraphs = (text: string): Html[] =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p class="welcome" dir="auto">${paragraph}</p>`)

const longDate = ({ locale }: GalleryTexts, epochMs: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(epochMs)
