import { dayOf, type GalleryListQueryParams, type GalleryPageData } from '../../../contract/gallery/gallery-page.ts'
import type { GuestRound } from '../../../contract/gallery/rounds.ts'
import { formatRoundLabel, formatRoundState, isRoundSent } from '../../../locales/describe-round.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { GalleryI18n } from './gallery-i18n.ts'
import type { PageFrame } from './page-frame.ts'

type Content = { notes: Html[]; label: Html | string; isSent: boolean; button: { name: string; text: string } | null }

/** Returns the filter and the count of what the guest picks; null if the viewer cannot pick. */
export function getPickKey({ viewer, feedback }: GalleryPageData): 'favorited' | 'liked' | null {
  if (viewer.kind !== 'guest' || !feedback.feedback_enabled) return null
  if (feedback.allow_favorites) return 'favorited'
  return feedback.allow_likes ? 'liked' : null
}

/** The link works without script. `web/gallery/selections/picks-bar.tsx` takes over the same markup. */
export function picksBar(frame: PageFrame, data: GalleryPageData): Html | null {
  const { t } = frame.i18n
  const { counts, round, asked, total } = data
  const key = getPickKey(data)
  if (key === null || total === 0) return null
  const count = counts[key]
  const isShown = asked.filter === key
  const { search, sort, order } = asked
  const query: GalleryListQueryParams = {
    ...(!isShown && { filter: key }),
    ...(search && { search }),
    ...(sort && { sort }),
    ...(order && { order }),
  }
  const href = `?${new URLSearchParams(query)}`
  const { notes, label, isSent, button } = round ? roundContent(frame, data, round) : content(frame, data, count)
  return html`<section class="picks" id="picks" aria-label="${t('myPicks')}"><div class="pill${count > 0 && html` some`}${isSent && html` sent`}">${notes.map(
    (note) => html`<p class="sent-note" role="status">${note}</p>`,
  )}<div class="pill-row"><a class="my-picks" href="${href}"${isShown && html` aria-current="true"`}>${label}</a>${
    button && html`<button type="button" class="send-picks" aria-label="${button.name}">${button.text}</button>`
  }</div></div></section>`
}

function content({ i18n, now }: PageFrame, { selection }: GalleryPageData, count: number): Content {
  const { t, locale } = i18n
  const isChanged = selection !== null && selection.changed_photo_ids.length > 0
  const date = selection && dayOf(locale, selection.created_at, now, 'UTC')
  const sent = isChanged ? 'picksChanged' : selection?.notified_at ? 'picksNotified' : 'picksSent'
  return {
    notes: date ? [html`${t(sent, { date })}`] : [],
    label: count > 0 ? t('picks', { count }) : t('picksNone'),
    isSent: selection !== null && !isChanged,
    button: sendButton(i18n, count, selection !== null),
  }
}

/** `web/gallery/selections/rounds/round-bar.tsx` takes over this markup. */
function roundContent({ i18n, now }: PageFrame, data: GalleryPageData, round: GuestRound): Content {
  const { t, locale } = i18n
  const { selection, counts, slug } = data
  const count = counts.favorited
  const isSent = isRoundSent(round)
  const state = formatRoundState(t, round, { count, locale, now })
  const receipt = (number: number, text: string) =>
    html`<a href="/api/gallery/${slug}/selections/${number}/receipt" target="_blank" rel="noopener">${text}</a>`
  const link = (text: string) => html`<button type="button" class="link" aria-haspopup="dialog">${text}</button>`
  const notes: Html[] = []
  if (isSent && selection) {
    const { number, created_at } = selection
    notes.push(html`${t('roundSent', { number, date: dayOf(locale, created_at, now, 'UTC') })}`)
  }
  if (state !== '') notes.push(html`${state}`)
  if (isSent && selection) notes.push(receipt(selection.number, t('roundReceipt')))
  if (round.before_number !== null)
    notes.push(receipt(round.before_number, t('roundReceiptOf', { number: round.before_number })))
  if (round.number > 1) notes.push(link(t('roundChanges')))
  if (isSent && !round.is_reopening_asked) notes.push(link(t('roundTooEarly')))
  const message = !isSent && round.message !== null && html`<q dir="auto">${round.message}</q>`
  return {
    notes: [
      ...(message ? [message] : []),
      ...(notes.length > 0 ? [html`${notes.map((note, index) => [index > 0 && '\u00a0· ', note])}`] : []),
    ],
    label: html`<span${isSent && html` class="locked"`} role="status">${formatRoundLabel(t, round, count)}</span>`,
    isSent,
    button: isSent ? null : sendButton(i18n, count, selection !== null),
  }
}

function sendButton({ t }: GalleryI18n, count: number, isAgain: boolean): Content['button'] {
  if (count === 0) return null
  return isAgain
    ? { name: t('sendPicksAgain'), text: t('sendPicksAgainShort') }
    : { name: t('sendPicks'), text: t('sendPicksShort') }
}
