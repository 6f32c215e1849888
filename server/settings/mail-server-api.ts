import { ChangeMailServerBody, MailServerRecord } from '../../contract/instance/mail-server.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from './app-context.ts'
import { changeMailServer, readMailServer } from './mail-server.ts'

const tags = ['mail']
const guard = { permission: 'settings.edit', role: 'super_admin' } as const

/** The mail server, when SMTP_URL does not name it. */
export const mailServerApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/mail/server',
    {
      schema: {
        operationId: 'getMailServer',
        tags,
        summary: 'Get the mail server and the sender of mails',
        description: 'Never contains a password.',
        response: { 200: MailServerRecord },
      },
      config: guard,
    },
    () => readMailServer(ctx),
  )

  app.put(
    '/mail/server',
    {
      schema: {
        operationId: 'changeMailServer',
        tags,
        summary: 'Change the mail server or the sender of mails',
        description: 'What SMTP_URL or MAIL_FROM sets cannot be changed. Applies to the next mail.',
        body: ChangeMailServerBody,
        response: { 200: MailServerRecord },
      },
      config: { ...guard, problems: ['INVALID_STATE'] },
    },
    ({ body }) => changeMailServer(ctx, body),
  )
}
