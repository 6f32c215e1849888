import { type Static, Type } from 'typebox'
import { Nullable, OneOf, OptionalNullable, Strict } from '../shapes.ts'

/** The ports of mail servers. With others, a test mail could probe any service of the network. */
export const mailPorts = [25, 465, 587, 2525] as const
export type MailPort = (typeof mailPorts)[number]

export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

const securityDescription =
  '`tls`: encrypted from the first byte; `starttls`: nothing is sent unless the connection becomes encrypted; ' +
  '`none`: never encrypted'

const oneLine = { 'x-matches': '^\\P{Cc}*$', 'x-pattern': 'must be one line of text' }

export const MailServerFields = Strict({
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    pattern: '^([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+)$',
    'x-pattern': 'must be a host name or an IP address, such as mail.example.com',
    description: 'A host name or an IP address',
  }),
  port: Type.Unsafe<MailPort>({ type: 'integer', enum: [...mailPorts] }),
  security: OneOf(mailSecurities, { description: securityDescription }),
  user_name: OptionalNullable(Type.String({ minLength: 1, maxLength: 320, ...oneLine }), {
    description: 'null: the server requires no sign-in',
  }),
  password: OptionalNullable(Type.String({ minLength: 1, maxLength: 1000, ...oneLine }), {
    description:
      'If it is left out, the stored password is used. It must be sent again with another host, port, security or user name',
  }),
})
export type MailServerFields = Static<typeof MailServerFields>

const Sender = OptionalNullable(Type.String({ minLength: 3, maxLength: 320 }), {
  description: 'Such as `photos@example.com` or `Studio <photos@example.com>`; null: derived',
})

/** What is left out stays unchanged. */
export const ChangeMailServerBody = Strict({
  server: OptionalNullable(MailServerFields, { description: 'null removes the mail server' }),
  sender: Sender,
  send_kept: Type.Optional(
    Type.Boolean({ description: 'Also send the mails counted by `sendable_mails`; without it, they are not sent' }),
  ),
})
export type ChangeMailServerBody = Static<typeof ChangeMailServerBody>

export const TestMailServerBody = Strict({
  to: Type.String({
    maxLength: 254,
    pattern: '^[^\\s@<>"(),;:\\\\]+@[^\\s@<>"(),;:\\\\]+$',
    'x-pattern': 'must be an email address',
  }),
  server: Type.Optional(MailServerFields),
  sender: Sender,
})
export type TestMailServerBody = Static<typeof TestMailServerBody>

export const MailServerRecord = Type.Object(
  {
    server: Nullable(
      Type.Object({
        host: Type.String(),
        port: Type.Integer(),
        security: Nullable(OneOf(mailSecurities), {
          description: `${securityDescription}. null for a server of the environment`,
        }),
        user_name: Nullable(Type.String({ description: 'null for a server of the environment' })),
        has_password: Type.Boolean(),
      }),
    ),
    server_source: OneOf(['environment', 'app', 'none'], { description: '`environment`: set by SMTP_URL' }),
    sender: Nullable(Type.String(), { description: 'null: derived' }),
    sender_source: OneOf(['environment', 'app', 'derived'], { description: '`environment`: set by MAIL_FROM' }),
    used_sender: Type.String({ description: 'The mail address that mails come from' }),
    derived_sender: Type.String({ description: 'The mail address that mails come from if `sender` is null' }),
    sendable_mails: Type.Integer({
      description: 'Mails of the last 7 days that were written without a mail server and contained no secret',
    }),
  },
  { title: 'MailServer' },
)
export type MailServerRecord = Static<typeof MailServerRecord>
