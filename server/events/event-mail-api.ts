import { ListMailsQuery, MailList, ResendEmailBody, ResentEmail } from '../../contract/mail.ts'
import { IdParams } from '../../contract/shapes.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { House } from '../settings/house.ts'
import { getOwnedEvent } from './event-ownership.ts'
import { listMails, mailRecord } from './list-mails.ts'
import { resendEmail } from './resend-email.ts'

const answers = {
  queued: 'The mail is on its way to the customer.',
  kept: 'No mail server is set up: the mail was not sent and can be read in the outbox.',
}

/** Mail about events: of the admin API alone. */
export const eventMailApi = (house: House) => async (app: Http) => {
  app.post(
    '/events/:event_id/resend-email',
    {
      schema: {
        summary: 'Mail the gallery to its customer again',
        params: IdParams('event_id'),
        body: ResendEmailBody,
        response: { 200: ResentEmail },
      },
      config: { permission: 'events.edit' },
    },
    async (request) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      await resendEmail(house, event, request.body?.password ?? null)
      return { success: true, message: answers[house.mailer.newStatus] }
    },
  )

  app.get(
    '/mail/outbox',
    {
      schema: { summary: 'All mail, newest first', querystring: ListMailsQuery, response: { 200: MailList } },
      config: { permission: 'settings.view' },
    },
    async (request) => {
      const { rows, pagination } = await listMails(house, request.caller, request.query)
      return { mails: rows.map(mailRecord), pagination }
    },
  )
}
