import type { SnapshotPhoto } from '../../../contract/gallery/rounds.ts'
import type { Typeface } from '../../../contract/themes.ts'
import { formatExtras } from '../../../locales/format-extras.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { type Page, renderPage } from '../../platform/html/page-document.ts'
import type { Translator } from '../../platform/text/messages.ts'
import { readableOnLight } from '../../settings/accent-style.ts'
import { type Brand, studioMark } from '../../settings/brand-markup.ts'
import type { AgreedSelection } from './agreed-selections.ts'
import { groupTexts, listMarks, nameGuest, type TranslateReceipt } from './receipt-texts.ts'

/**
 * The same for guests and operators. Apart from the fonts of the gallery, all addresses are relative to that of the page,
 * `…/receipt`. It needs no script and only its own style, so that it can be stored and printed.
 */
export function renderReceipt(
  selection: AgreedSelection,
  typeface: Typeface,
  { locale, t }: Translator<'receipts'>,
  brand: Brand,
): Page {
  const { snapshot, contentSha256 } = selection
  const title = t('title', { purpose: snapshot.purpose, round: snapshot.round })
  const texts = groupTexts(t, selection)
  return renderPage({
    locale,
    title,
    typeface,
    stylesheets: [],
    style: createStyle(brand),
    body: html`<main>
${studioMark(brand)}<h1>${title}</h1>
<dl>
${listFacts(t, selection).map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>\n`)}</dl>
<p class="link"><a href="receipt?format=csv&amp;headers=${locale}">${t('table')}</a></p>
<h2>${t('photos')}</h2>
<ol>
${snapshot.photos.map((photo) => renderPhoto(t, photo, texts.get(photo.id) ?? []))}</ol>
<footer>
<h2>${t('hash')}</h2>
<p><code>${contentSha256}</code></p>
<p>${t('hashHelp')}</p>
</footer>
</main>`,
  })
}

function listFacts(t: TranslateReceipt, selection: AgreedSelection): Array<[string, string]> {
  const { snapshot, people } = selection
  const { language, time_zone: timeZone, extra_count, due_on } = snapshot
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  return [
    [t('event'), snapshot.event_name],
    ...(snapshot.studio_name === '' ? [] : [[t('studio'), snapshot.studio_name] as [string, string]]),
    [t('guest'), nameGuest(t, selection)],
    [t('sentAt'), t('timeInZone', { time: time.format(Date.parse(snapshot.submitted_at)), zone: timeZone })],
    [t('total'), String(snapshot.photos.length)],
    [t('included'), String(snapshot.included)],
    ...(snapshot.minimum === 0 ? [] : [[t('minimum'), String(snapshot.minimum)] as [string, string]]),
    ...(snapshot.maximum === null ? [] : [[t('maximum'), String(snapshot.maximum)] as [string, string]]),
    [t('extras'), extra_count === 0 ? t('noExtras') : formatExtras(t, extra_count, snapshot.extra_text)],
    ...(due_on === null ? [] : [[t('dueOn'), day.format(Date.parse(due_on))] as [string, string]]),
    ...(people?.note ? [[t('note'), people.note] as [string, string]] : []),
  ]
}

/** A browser shows the name of a photo that is gone in place of its picture. */
const renderPhoto = (t: TranslateReceipt, photo: SnapshotPhoto, texts: readonly string[]): Html => html`<li>
<div class="picture"><img src="receipt/${photo.id}.jpg" alt="${photo.source_filename}"></div>
<p class="name" dir="auto">${photo.source_filename}</p>
${renderLine(listMarks(t, photo).join(' · '))}${texts.map(renderLine)}</li>
`

const renderLine = (text: string): Html | null => (text === '' ? null : html`<p dir="auto">${text}</p>\n`)

const createStyle = ({ settings: { branding_accent: accent } }: Brand): string =>
  `:root { --accent: ${accent === null ? '#111' : readableOnLight(accent)}; }
${style}`

const style = `@page { size: A4; margin: 15mm; }
:root { color-scheme: light; --serif: Georgia, serif; --sans: system-ui, sans-serif; }
body { margin: 0; background: #fff; color: #111; font: 14px/1.45 var(--text-face, system-ui, sans-serif); }
.type-cormorant body { font-size: 16px; }
h1, h2 { font-family: var(--title-face, system-ui, sans-serif); font-weight: 400; font-synthesis: none; text-wrap: balance; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; padding: 0 0 0.75rem; border-bottom: 2px solid var(--accent); font-size: 2rem; line-height: 1.2; }
a { color: var(--accent); }
.studio { margin: 0 0 1.5rem; color: #555; }
.logo { width: auto; max-width: 12rem; height: auto; max-height: 3rem; }
.on-dark { filter: invert(1) hue-rotate(180deg); }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1.375rem; }
dl, ol, p, dd { margin: 0; padding: 0; }
dl div { display: flex; gap: 1rem; padding: 0.125rem 0; break-inside: avoid; }
dt { flex: 0 0 10rem; color: #555; }
dd { white-space: pre-line; }
.link { margin: 0.75rem 0 0; }
ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: 1rem; list-style: none; }
li { break-inside: avoid; font-size: 0.8125rem; }
li p { white-space: pre-line; }
.picture { display: flex; align-items: center; justify-content: center; height: 10rem; margin: 0 0 0.25rem; background: #f2f2f2; color: #555; text-align: center; }
.picture img { max-width: 100%; max-height: 100%; }
.name { font-weight: 600; }
footer { break-inside: avoid; }
code { font-family: ui-monospace, monospace; }
@media print { main { max-width: none; padding: 0; } .link { display: none; } ol { grid-template-columns: repeat(4, 1fr); } .picture { height: 38mm; print-color-adjust: exact; } }`
