import {
  GalleryMail,
  ListMailsQuery,
  MailList,
  MailPage,
  MailRecord,
  ResendEmailBody,
  ResentEmail,
  TestMailReply,
} from '../../../contract/instance/mail.ts'
import { TestMailServerBody } from '../../../contract/instance/mail-server.ts'
import { IdParams } from '../../../contract/shapes.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { retryMail } from '../../platform/mail/queue-mail.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { getOwnedEvent } from '../event-ownership.ts'
import { lettersApi } from './letters-api.ts'
import { getOwnedMail, listMails, mailRecord } from './list-mails.ts'
import { showMailPage } from './mail-page-reply.ts'
import { previewGalleryMail, resendEmail } from './resend-email.ts'
import { sendTestMail, testMailServer } from './send-test-mail.ts'

const tags = ['mail']
const answers = {
  queued: 'The email to the customer is queued.',
  kept: 'The email was not sent because no mail server is configured. You can read it in the outbox.',
}

export const eventMailApi = (ctx: AppContext) => async (app: Http) => {
  app.post(
    '/events/:event_id/resend-email',
    {
      schema: {
        operationId: 'resendEmail',
        tags,
        summary: 'Email the gallery link to the customer again',
        params: IdParams('event_id'),
        body: ResendEmailBody,
        response: { 200: ResentEmail },
      },
      config: { permission: 'events.edit', problems: ['NO_RECIPIENT', 'INVALID_STATE', 'EVENT_ARCHIVED'] },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      await resendEmail(ctx, event, request.body?.password ?? null)
      return { success: true, message: answers[await ctx.mailer.newStatus(ctx.db)] }
    },
  )

  app.get(
    '/events/:event_id/gallery-email',
    {
      schema: {
        operationId: 'previewGalleryEmail',
        tags,
        summary: 'Get the email with the gallery link, to read or send it yourself',
        description: 'Sends nothing. The response does not contain the password.',
        params: IdParams('event_id'),
        response: { 200: GalleryMail },
      },
      config: { permission: 'events.edit', problems: ['INVALID_STATE', 'EVENT_ARCHIVED'] },
    },
    async ({ caller, params }) => previewGalleryMail(ctx, await getOwnedEvent(ctx, caller, params.event_id)),
  )

  app.get(
    '/mail/outbox',
    {
      schema: {
        operationId: 'listMails',
        tags,
        summary: 'List emails, newest first',
        querystring: ListMailsQuery,
        response: { 200: MailList },
      },
      config: { permission: 'settings.view' },
    },
    async (request) => {
      const { rows, pagination } = await listMails(ctx, request.caller, request.query)
      return { mails: rows.map(mailRecord), pagination }
    },
  )

  app.get(
    '/mail/outbox/:mail_id/html',
    {
      schema: {
        operationId: 'showMail',
        tags,
        summary: 'Get an email as its recipient sees it',
        description: 'For display in a frame: it runs no scripts and loads only the logo.',
        params: IdParams('mail_id'),
        response: { 200: MailPage },
      },
      config: { permission: 'settings.view' },
    },
    async (request, reply) => {
      const mail = await getOwnedMail(ctx, request.caller, request.params.mail_id)
      return showMailPage(reply, mailRecord(mail))
    },
  )

  app.post(
    '/mail/outbox/:mail_id/retry',
    {
      schema: {
        operationId: 'retryMail',
        tags,
        summary: 'Send a failed or kept email',
        description:
          'The email moves to the end of the queue. An email with a password or link cannot be sent again because its secret has been erased.',
        params: IdParams('mail_id'),
        response: { 200: MailRecord },
      },
      config: { permission: 'settings.edit', problems: ['INVALID_STATE'] },
    },
    async (request) => {
      const mail = await getOwnedMail(ctx, request.caller, request.params.mail_id)
      return mailRecord(await retryMail(ctx, mail))
    },
  )
  app.post(
    '/mail/test',
    {
      schema: {
        operationId: 'sendTestMail',
        tags,
        summary: 'Send a test email to yourself and get the result of the mail server',
        description: 'Responds when the mail server has accepted or rejected the email, after 20 seconds at most.',
        response: { 200: TestMailReply },
      },
      config: { permission: 'settings.edit', problems: ['INVALID_STATE'] },
    },
    ({ caller }) => sendTestMail(ctx, caller),
  )
  app.post(
    '/mail/server/test',
    {
      schema: {
        operationId: 'testMailServer',
        tags,
        summary: 'Send a test email through entered values, and get the result of the mail server',
        description:
          'What is left out is taken from the configuration. Stores nothing. Responds after 20 seconds at most.',
        body: TestMailServerBody,
        response: { 200: TestMailReply },
      },
      config: { permission: 'settings.edit', role: 'super_admin', problems: ['INVALID_STATE'] },
    },
    ({ caller, body }) => testMailServer(ctx, caller, body),
  )

  await app.register(lettersApi(ctx))
}
