import { randomBytes } from 'node:crypto'
import { pickColorNames } from '../../contract/color-labels.ts'
import { type AdminAppData, adminAppDataId } from '../../contract/instance/admin-app.ts'
import { html, jsonData } from '../platform/html/html.ts'
import { renderPage } from '../platform/html/page-document.ts'
import { findBuiltScript } from '../platform/html/web-build.ts'
import type { Http } from '../platform/http/create-http.ts'
import { version } from '../platform/version.ts'
import type { AppContext } from '../settings/app-context.ts'

/** `/admin` and all paths below it return the page of the admin app. The page contains only public data. */
export const adminPageApi =
  ({ settings, config }: AppContext) =>
  async (app: Http) => {
    app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/admin'))
    for (const url of ['/admin', '/admin/*']) {
      app.get(url, { schema: { hide: true } }, async (_request, reply) => {
        const values = await settings.values()
        const { branding_studio_name: studioName, general_default_language: language } = values
        const recaptchaSiteKey = config.recaptchaSecretKey === null ? null : config.recaptchaSiteKey
        const nonce = randomBytes(16).toString('base64')
        const colorNames = pickColorNames(values)
        const data: AdminAppData = { language, studioName, colorNames, version, nonce, recaptchaSiteKey }
        const script = findBuiltScript('admin/start.tsx')
        const app = html`<div id="admin"></div>
<noscript>${noScriptMessages[language]}</noscript>
${jsonData(adminAppDataId, data)}`
        const { markup, securityPolicy } = renderPage({
          locale: language,
          title: studioName || 'Proofroom',
          stylesheets: [],
          script,
          body: script ? app : html`<p>${notBuiltMessages[language]}</p>`,
        })
        reply
          .type('text/html; charset=utf-8')
          .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
          .header('content-security-policy', extendPolicy(securityPolicy, data))
        return markup
      })
    }
  }

const noScriptMessages = {
  en: 'This page requires JavaScript. Galleries work without it.',
  de: 'Diese Seite erfordert JavaScript. Galerien funktionieren auch ohne.',
}

const notBuiltMessages = {
  en: 'The admin app is not built. Run "npm ci && npm prune --omit=dev" in the folder of the service, then restart the service.',
  de: 'Die Admin-App ist nicht gebaut. Führen Sie im Ordner des Dienstes „npm ci && npm prune --omit=dev“ aus, und starten Sie den Dienst neu.',
}

/** Allows the styles of dialogs (by nonce), the frames that show mails, and reCAPTCHA where it is configured. */
function extendPolicy(policy: string, { nonce, recaptchaSiteKey }: AdminAppData): string {
  const withStyles = `${policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)}; frame-src 'self'`
  if (recaptchaSiteKey === null) return withStyles
  const recaptchaSources = 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/'
  return `${withStyles.replace("script-src 'self'", `script-src 'self' ${recaptchaSources}`)} ${recaptchaSources}`
}
