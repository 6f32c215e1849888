import { dayOf, type GalleryListQueryParams, type GalleryPageData } from '../../contract/gallery/gallery-page.ts'
import { type Html, html } from '../platform/html/html.ts'
import type { PageFrame } from './page-frame.ts'

/** Without script it is only a link; `web/gallery/picks/picks-bar.tsx` takes over the same markup. */
export function picksBar({ i18n, now }: PageFrame, data: GalleryPageData): Html | null {
  const { t, locale } = i18n
  const { viewer, feedback, counts, selection, asked, total } = data
  const canPick = viewer.kind === 'guest' && feedback.feedback_enabled
  if (!canPick || total === 0 || !(feedback.allow_favorites || feedback.allow_likes)) return null
  const key = feedback.allow_favorites ? 'favorited' : 'liked'
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
  const isChanged = selection !== null && selection.changed_photo_ids.length > 0
  const date = selection && dayOf(locale, selection.created_at, now, 'UTC')
  return html`<section class="picks" id="picks" aria-label="${t('myPicks')}"><div class="pill${count > 0 && html` some`}${selection && !isChanged && html` sent`}">${
    date && html`<p class="sent-note" role="status">${t(isChanged ? 'picksChanged' : 'picksSent', { date })}</p>`
  }<div class="pill-row"><a class="my-picks" href="${href}"${isShown && html` aria-current="true"`}>${count > 0 ? t('picks', { count }) : t('picksNone')}</a>${
    count > 0 &&
    html`<button type="button" class="send-picks" aria-label="${t(selection ? 'sendPicksAgain' : 'sendPicks')}">${t(selection ? 'sendPicksAgainShort' : 'sendPicksShort')}</button>`
  }</div></div></section>`
}
