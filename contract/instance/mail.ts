import { type Static, Type } from 'typebox'
import type { ResponseHeader } from '../response-headers.ts'
import { Id, Limit, Nullable, OneOf, OptionalNullable, Page, Timestamp } from '../shapes.ts'

export const mailKinds = [
  'gallery_created',
  'expiry_warning',
  'archive_notice',
  'selection_submitted',
  'reopening_asked',
  'selection_sent',
  'selection_reopened',
  'selection_reminder',
  'thread_asked',
  'thread_answered',
  'first_look_asked',
  'first_look_complete',
  'account_invite',
  'password_reset',
] as const
export type MailKind = (typeof mailKinds)[number]

/** `kept`: written while no mail server was configured. It is sent only if an operator retries it in the outbox. */
export const mailStatuses = ['queued', 'sent', 'failed', 'kept'] as const
export type MailStatus = (typeof mailStatuses)[number]

/** Why a mail was not sent. */
export const mailFailures = [
  'unknown_host',
  'connection_refused',
  'timeout',
  'no_encryption',
  'certificate',
  'sign_in',
  'sender_rejected',
  'recipient_rejected',
  'unreadable_secret',
  'not_configured',
  'other',
] as const
export type MailFailure = (typeof mailFailures)[number]

export const MailRecord = Type.Object(
  {
    id: Id,
    kind: OneOf(mailKinds),
    to: Type.String(),
    subject: Type.String(),
    status: OneOf(mailStatuses),
    text: Type.String({ description: 'Credentials are shown as ••••••' }),
    html: Type.String(),
    created_at: Timestamp,
    sent_at: Nullable(Timestamp),
    next_attempt_at: Nullable(Timestamp),
    attempts: Type.Integer(),
    last_error: Nullable(Type.String()),
    event_id: Nullable(Id),
  },
  { title: 'Mail' },
)
export type MailRecord = Static<typeof MailRecord>

export const ListMailsQuery = Type.Object({
  page: Page,
  limit: Limit(25, 100),
  status: Type.Optional(OneOf(mailStatuses, { description: 'Only emails with this status' })),
})
export type ListMailsQuery = Static<typeof ListMailsQuery>

export const MailList = Type.Object({
  mails: Type.Array(MailRecord),
  pagination: Type.Object({
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    pages: Type.Integer(),
  }),
})

export const MailPage = {
  description: 'Credentials are shown as ••••••',
  headers: [] satisfies ResponseHeader[],
  content: { 'text/html': { schema: Type.Unsafe<unknown>({ type: 'string' }) } },
}

/** If `password` is given, it must be the current password of the event. */
export const ResendEmailBody = Nullable(Type.Object({ password: OptionalNullable(Type.String({ maxLength: 128 })) }))

export const GalleryMail = Type.Object(
  {
    subject: Type.String(),
    text: Type.String({ description: 'Without the password of the gallery' }),
    text_with_password: Nullable(Type.String(), {
      description: 'With •••••• where the password belongs; null if the gallery has none',
    }),
    can_send: Type.Boolean({ description: 'Whether a mail server is configured' }),
    emailed_at: Nullable(Timestamp, {
      description: 'When it was last queued or sent to the current address; null if never in the last 90 days',
    }),
  },
  { title: 'GalleryMail' },
)
export type GalleryMail = Static<typeof GalleryMail>

export const ResentEmail = Type.Object({ success: Type.Boolean(), message: Type.String() })

export const TestMailReply = Type.Object(
  {
    to: Type.String({ description: 'The recipient' }),
    is_sent: Type.Boolean({ description: 'Whether the mail server has accepted the email' }),
    problem: Nullable(
      Type.String({ description: 'The error of the mail server, or the reason why there was no response' }),
    ),
    failure: Nullable(OneOf(mailFailures), { description: 'The kind of the problem' }),
  },
  { title: 'TestMail' },
)
export type TestMailReply = Static<typeof TestMailReply>
