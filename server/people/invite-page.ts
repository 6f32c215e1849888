import { type Html, html } from '../platform/html/html.ts'
import { formReferrer, renderPage } from '../platform/html/page-document.ts'
import type { Translator } from '../platform/text/messages.ts'
import { type Brand, brandOptions, studioMark } from '../settings/brand-markup.ts'
import { invitePath } from './mail-invite.ts'

type Frame = Brand & { i18n: Translator<'invite'> }

/** Works without JavaScript. `problem` is the error of the last attempt. */
export const passwordPage = (
  frame: Frame,
  { token, username, problem }: { token: string; username: string; problem: string | null },
): string => {
  const { t } = frame.i18n
  const describedBy = problem === null ? 'rule' : 'why rule'
  const field = (name: string, label: string, more: Html) => html`<label>${label}
<input name="${name}" type="password" required minlength="12" maxlength="128" autocomplete="new-password" aria-describedby="${describedBy}"${more}>
</label>
`
  return document(
    frame,
    t('title'),
    html`<form method="post" action="${invitePath(token)}">
<p id="rule">${t('forAccount', { username })}</p>
${problem !== null && html`<p id="why" class="wrong">${problem}</p>\n`}<input type="text" name="username" value="${username}" autocomplete="username" hidden>
${field('password', t('password'), html` autofocus`)}${field('again', t('again'), html``)}<button>${t('save')}</button>
</form>`,
    formReferrer,
  )
}

export const messagePage = (frame: Frame, title: string, message: string): string =>
  document(frame, title, html`<p>${message}</p>`)

/** Also for a used link: the person who opens it again has a password. */
export const signInPage = (frame: Frame, title: string, message: string): string =>
  document(
    frame,
    title,
    html`<p>${message}</p>
<form action="/admin/sign-in"><button>${frame.i18n.t('signIn')}</button></form>`,
  )

const document = (frame: Frame, title: string, body: Html, head: Html | null = null): string =>
  renderPage({
    locale: frame.i18n.locale,
    title,
    root: 'theme-classic',
    ...brandOptions(frame, 'classic'),
    head,
    body: html`<main class="card">
${studioMark(frame)}<h1>${title}</h1>
${body}
</main>`,
  }).markup
