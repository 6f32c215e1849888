import type { GalleryAsked, GalleryPageData } from '../../contract/gallery-page.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { GalleryVoice } from './gallery-texts.ts'

/**
 * How many photos the guest has picked, at the foot of the window wherever the guest has scrolled to. Where there is no
 * script it leads to them and no more; `web/gallery/picks/picks-bar.tsx` takes it over with the same markup.
 */
export function picksBar({ say }: GalleryVoice, data: GalleryPageData): Html | null {
  const { viewer, feedback, counts, asked, total } = data
  const canPick = viewer.kind === 'guest' && feedback.feedback_enabled
  if (!canPick || total === 0 || !(feedback.allow_favorites || feedback.allow_likes)) return null
  const key = feedback.allow_favorites ? 'favorited' : 'liked'
  const count = counts[key]
  const isShown = asked.filter === key
  const { search, sort, order } = asked
  const wanted: GalleryAsked = {
    ...(!isShown && { filter: key }),
    ...(search && { search }),
    ...(sort && { sort }),
    ...(order && { order }),
  }
  const href = `?${new URLSearchParams(wanted)}`
  return html`<section class="picks" id="picks" aria-label="${say('myPicks')}"><div class="pill${count > 0 && html` some`}"><a class="my-picks" href="${href}"${isShown && html` aria-current="true"`}>${count > 0 ? say('picks', { count }) : say('picksNone')}</a>${
    count > 0 &&
    html`<button type="button" class="send-picks" aria-label="${say('sendPicks')}">${say('sendPicksShort')}</button>`
  }</div></section>`
}
