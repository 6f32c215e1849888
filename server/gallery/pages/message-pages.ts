import type { AppError } from '../../platform/errors/app-error.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { formReferrer, type Page } from '../../platform/html/page-document.ts'
import { cardPage, contactLink, type PageFrame } from './page-frame.ts'
import { placeholderUrl } from './photo-tiles.ts'
import type { ContinueLink, PasswordForm } from './visit-request.ts'

/** Icons of pages, for a viewBox of 24 and a stroke width of 1.5. */
const icons = {
  locked: 'M6.5 10.5h11v9h-11zM9 10.5V8a3 3 0 0 1 6 0v2.5M12 14v2',
  onwards: 'M4 6h10v7M4 6v9h6M2.5 18H10M13 10h7.5v10H13zM16 17.5h1.5',
  expired: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  unknown: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20M8.5 8.5l4 4M12.5 8.5l-4 4',
} as const

const icon = (name: keyof typeof icons): Html =>
  html`<svg class="sign" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${icons[name]}"/></svg>`

type PasswordPageContent = {
  form: PasswordForm
  appError: AppError | null
  /** The query of the page, with its question mark. */
  search: string
  /** The password was correct, but the browser has not sent the cookies of the session. */
  hasNoCookies: boolean
  beginsWithCapital?: boolean
  /** The thumbhash of the cover; null for the colors of the theme. */
  coverHash: string | null
}

/** A plain form, so that it works without script and in in-app browsers. A small script adds the button to read what was typed. */
export function passwordPage(frame: PageFrame, content: PasswordPageContent): Page {
  const { form, appError, search, hasNoCookies, beginsWithCapital = false, coverHash } = content
  const { t } = frame.i18n
  const isRejected = appError !== null && appError.code !== 'CROSS_ORIGIN'
  return cardPage(
    frame,
    {
      sign: icon('locked'),
      background: coverHash === null ? null : softCover(coverHash),
      content: html`<form method="post" action="/gallery/${form.slug}/enter${search}">
<p id="why"${(appError !== null || hasNoCookies) && html` class="wrong"`}>${t(chooseReason(content))}${beginsWithCapital && ` ${t('passwordCapital')}`}</p>
<input type="text" name="username" value="${frame.title}" autocomplete="username" hidden>
<div class="password">
<label for="password">${t('password')}</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password" autocapitalize="none" autocorrect="off" spellcheck="false" autofocus aria-describedby="why"${isRejected && html` aria-invalid="true"`}>
<button type="button" class="show-password" aria-pressed="false" hidden>${icon('eye')}<span class="heard">${t('passwordShow')}</span></button>
</div>
<input type="hidden" name="share_token" value="${form.shareToken}">
<button>${t('open')}</button>
</form>${contactLink(frame)}`,
    },
    { head: formReferrer, script: { src: '/assets/show-password.js', styles: [], preloads: [] } },
  )
}

/** So few pixels that no script or viewer can make the picture sharp. */
const softCover = (hash: string): Html => html`<img class="soft-cover" src="${placeholderUrl(hash)}" alt="">`

type Reason = Pick<PasswordPageContent, 'form' | 'appError' | 'hasNoCookies'>

/** With the full link, the correct password opens the gallery also after too many failures of others. */
function chooseReason({ form, appError, hasNoCookies }: Reason) {
  if (appError?.code === 'CROSS_ORIGIN') return 'formElsewhere'
  if (appError?.code === 'RATE_LIMITED' && form.shareToken === '') return 'passwordLimited'
  if (appError !== null) return 'passwordWrong'
  return hasNoCookies ? 'passwordNoCookies' : 'passwordWanted'
}

type ContinuePageContent = {
  /** Null if it can no longer be used. */
  link: ContinueLink | null
  isForeign: boolean
}

/** A button is required, because opening a link must not consume it. */
export const continuePage = (frame: PageFrame, { link, isForeign }: ContinuePageContent): Page =>
  cardPage(
    frame,
    {
      sign: icon(link ? 'onwards' : 'expired'),
      content: html`${isForeign && html`<p class="wrong">${frame.i18n.t('formElsewhere')}</p>\n`}<p>${link ? frame.i18n.t('continueHere') : frame.i18n.t('usedUp')}</p>
${
  link &&
  html`<form method="post" action="/gallery/${link.slug}/continue/${link.linkToken}">
<button>${frame.i18n.t('continue')}</button>
</form>`
}`,
    },
    { head: formReferrer },
  )

export const messagePage = (frame: PageFrame, kind: 'expired' | 'unknown', message: string): Page =>
  cardPage(frame, { sign: icon(kind), content: html`<p>${message}</p>${contactLink(frame)}` })
