import type { User } from '../access/account-rows.ts'
import type { Letterhead } from '../events/mail/event-letters.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { Letter } from '../platform/mail/letter.ts'
import { queueMail } from '../platform/mail/queue-mail.ts'
import type { AppContext } from '../settings/app-context.ts'
import { addInvite } from './invite-rows.ts'
import { messagesIn } from './people-messages.ts'

export type InviteMailKind = 'account_invite' | 'password_reset'

export const invitePath = (token: string): string => `/invite/${token}`

type Invitation = { kind: InviteMailKind; user: User; token: string }

/** The link is a credential, so `queueMail` stores it only encrypted. */
export async function mailInvite(ctx: AppContext, tx: Tx, head: Letterhead, { kind, user, token }: Invitation) {
  await addInvite(ctx, tx, user, token)
  await queueMail(ctx, tx, {
    kind,
    eventId: null,
    to: user.email,
    replyTo: null,
    senderName: head.studioName || null,
    letter: inviteLetter(head, kind, user),
    credential: head.origin + invitePath(token),
  })
}

function inviteLetter({ language, studioName }: Letterhead, kind: InviteMailKind, { username }: User): Letter {
  const messages = messagesIn(language)
  const isInvite = kind === 'account_invite'
  return {
    locale: messages.locale,
    subject: isInvite ? messages.inviteSubject(studioName) : messages.resetSubject,
    greeting: messages.hello(username),
    blocks: [
      { paragraph: isInvite ? messages.invited(studioName, username) : messages.reset(username) },
      { credentialButton: messages.choose },
      { paragraph: messages.once },
    ],
    signature: studioName ? [messages.regards, studioName] : null,
  }
}
