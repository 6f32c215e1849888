import type { SettingValues } from '../../contract/settings.ts'
import { type Html, html } from '../platform/html/html.ts'
import { formReferrer, renderPage, themedStylesheets } from '../platform/html/page-document.ts'
import { invitePath } from './mail-invite.ts'
import type { PeopleMessages } from './people-messages.ts'

type Frame = { messages: PeopleMessages; settings: SettingValues }

/** Works without JavaScript. `problem` is the error of the last attempt. */
export const passwordPage = (
  frame: Frame,
  { token, username, problem }: { token: string; username: string; problem: string | null },
): string => {
  const { messages } = frame
  const describedBy = problem === null ? 'rule' : 'why rule'
  const field = (name: string, label: string, more: Html) => html`<label>${label}
<input name="${name}" type="password" required minlength="12" maxlength="128" autocomplete="new-password" aria-describedby="${describedBy}"${more}>
</label>
`
  return document(
    frame,
    messages.title,
    html`<form method="post" action="${invitePath(token)}">
<p id="rule">${messages.forAccount(username)}</p>
${problem !== null && html`<p id="why" class="wrong">${problem}</p>\n`}<input type="text" name="username" value="${username}" autocomplete="username" hidden>
${field('password', messages.password, html` autofocus`)}${field('again', messages.again, html``)}<button>${messages.save}</button>
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
<form action="/admin/sign-in"><button>${frame.messages.signIn}</button></form>`,
  )

const document = (
  { messages, settings: { branding_studio_name: studio } }: Frame,
  title: string,
  body: Html,
  head: Html | null = null,
): string =>
  renderPage({
    locale: messages.locale,
    title,
    root: 'theme-classic',
    stylesheets: themedStylesheets,
    head,
    body: html`<main class="card">
<h1>${title}</h1>
${body}
</main>
<footer>${studio ? html`<span>${studio}</span>` : null}</footer>`,
  }).markup
