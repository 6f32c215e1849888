import type { SettingValues } from '../../contract/settings.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { PhotoPage } from '../photos/list-photos.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { GalleryTexts } from './gallery-texts.ts'
import { mayDownload } from './viewing-rules.ts'

export type PageFrame = { texts: GalleryTexts; settings: SettingValues; title: string; theme: string }

export type GalleryPageContent = {
  event: EventRow
  photos: PhotoPage['photos']
  total: number
  page: number
  pages: number
  isBeforeReveal: boolean
}

/** A whole document that shows without script; `body` is what stands between header and footer. */
function document({ texts, settings, title, theme }: PageFrame, body: Html): string {
  const { branding_imprint_url: imprint, branding_privacy_url: privacy, branding_studio_name: studio } = settings
  return `<!doctype html>${
    html`<html lang="${texts.locale}" class="theme-${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/assets/gallery.css">
</head>
<body>
${body}
<footer>
${studio ? html`<span>${studio}</span>` : null}
${imprint ? html`<a href="${imprint}">${texts.imprint}</a>` : null}
${privacy ? html`<a href="${privacy}">${texts.privacy}</a>` : null}
</footer>
</body>
</html>`.text
  }`
}

export function galleryPage(frame: PageFrame, content: GalleryPageContent): string {
  const { event, photos, total, isBeforeReveal } = content
  const { texts } = frame
  const date = event.event_date ? longDate(texts, Date.parse(event.event_date)) : null
  return document(
    frame,
    html`<header class="title">
<h1>${event.event_name}</h1>
<p>${[date, isBeforeReveal ? null : texts.photos(total)].filter(Boolean).join(' · ')}</p>
${paragraphs(event.welcome_message)}
</header>
<main>
${isBeforeReveal && event.reveal_at !== null ? notice(texts.hiddenUntil(longDate(texts, event.reveal_at))) : null}
${!isBeforeReveal && total === 0 ? notice(texts.empty) : null}
<ul class="grid">
${photos.map((photo, index) => tile(content, texts, photo, (content.page - 1) * pageSize + index + 1))}
</ul>
${pageLinks(content, texts)}
</main>`,
  )
}

/** Photos on one page of the gallery. */
export const pageSize = 60

function tile(
  { event, total }: GalleryPageContent,
  texts: GalleryTexts,
  photo: PhotoPage['photos'][number],
  number: number,
): Html {
  const base = `/api/gallery/${event.slug}`
  const isAboveTheFold = number <= 8
  return html`<li>
<a class="photo" href="${base}/photo/${photo.id}"><img src="${base}/thumbnail/${photo.id}" alt="${texts.photo(number, total)}"
 width="${photo.width ?? 3}" height="${photo.height ?? 2}"${isAboveTheFold ? null : html` loading="lazy"`} decoding="async"></a>
${mayDownload(event, photo) ? html`<a class="download" href="${base}/download/${photo.id}" download title="${texts.download}" aria-label="${texts.download}: ${texts.photo(number, total)}">↓</a>` : null}
</li>`
}

function pageLinks({ page, pages }: GalleryPageContent, texts: GalleryTexts): Html | null {
  if (pages <= 1) return null
  return html`<nav>
${page > 1 ? html`<a rel="prev" href="?page=${page - 1}">${texts.previous}</a>` : null}
<span>${texts.pageOf(page, pages)}</span>
${page < pages ? html`<a rel="next" href="?page=${page + 1}">${texts.next}</a>` : null}
</nav>`
}

/** Asks for the password; a plain form, so that it works without script and inside in-app browsers. */
export function passwordPage(frame: PageFrame, form: { slug: string; shareToken: string; isWrong: boolean }): string {
  const { texts, title } = frame
  return document(
    frame,
    html`<main class="card">
<h1>${title}</h1>
<form method="post" action="/gallery/${form.slug}/enter">
<p id="why">${form.isWrong ? texts.passwordWrong : texts.passwordWanted}</p>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password" autofocus aria-describedby="why"${form.isWrong ? html` aria-invalid="true"` : null}>
<input type="hidden" name="share_token" value="${form.shareToken}">
<button>${texts.open}</button>
</form>
</main>`,
  )
}

export const messagePage = (frame: PageFrame, message: string): string =>
  document(
    frame,
    html`<main class="card">
<h1>${frame.title}</h1>
<p>${message}</p>
</main>`,
  )

const notice = (text: string): Html => html`<p class="notice">${text}</p>`

const paragraphs = (text: string): Html[] =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p class="welcome">${paragraph}</p>`)

const longDate = ({ locale }: GalleryTexts, epochMs: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(epochMs)
