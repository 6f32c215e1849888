import type { SettingValues } from '../../contract/settings.ts'
import { type Html, html } from '../platform/http/html.ts'
import { pageDocument, themedStyles } from '../platform/http/page-document.ts'
import { invitePath } from './mail-invite.ts'
import type { PeopleTexts } from './people-texts.ts'

type Frame = { texts: PeopleTexts; settings: SettingValues }

/** Works without JavaScript. Shows the error of the last attempt, if any. */
export const passwordPage = (
  frame: Frame,
  { token, username, wrong }: { token: string; username: string; wrong: string | null },
): string => {
  const { texts } = frame
  const describedBy = wrong === null ? 'rule' : 'why rule'
  const field = (name: string, label: string, more: Html) => html`<label>${label}
<input name="${name}" type="password" required minlength="12" maxlength="128" autocomplete="new-password" aria-describedby="${describedBy}"${more}>
</label>
`
  return document(
    frame,
    texts.title,
    html`<form method="post" action="${invitePath(token)}">
<p id="rule">${texts.forAccount(username)}</p>
${wrong !== null && html`<p id="why" class="wrong">${wrong}</p>\n`}<input type="text" name="username" value="${username}" autocomplete="username" hidden>
${field('password', texts.password, html` autofocus`)}${field('again', texts.again, html``)}<button>${texts.save}</button>
</form>`,
  )
}

export const messagePage = (frame: Frame, title: string, message: string): string =>
  document(frame, title, html`<p>${message}</p>`)

const document = ({ texts, settings: { branding_studio_name: studio } }: Frame, title: string, body: Html): string =>
  pageDocument({
    locale: texts.locale,
    title,
    root: 'theme-classic',
    stylesheets: themedStyles,
    body: html`<main class="card">
<h1>${title}</h1>
${body}
</main>
<footer>${studio ? html`<span>${studio}</span>` : null}</footer>`,
  }).markup
