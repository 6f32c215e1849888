import type { User } from '../access/account-rows.ts'
import { greet, type Letterhead, translateMail } from '../events/mail/event-letters.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { Letter } from '../platform/mail/letter.ts'
import { queueMail } from '../platform/mail/queue-mail.ts'
import type { AppContext } from '../settings/app-context.ts'
import { addInvite } from './invite-rows.ts'

export type InviteMailKind = 'account_invite' | 'password_reset'

/** Stands for the studio that has no name yet. */
const productName = 'Proofroom'

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

function inviteLetter(head: Letterhead, kind: InviteMailKind, { username }: User): Letter {
  const t = translateMail(head)
  const { studioName } = head
  const values = { studio: studioName || productName, username }
  return {
    locale: head.language,
    subject: t(`${kind}_subject`, values),
    greeting: greet(t, username),
    blocks: [
      { paragraph: t(`${kind}_text`, values) },
      { credentialButton: t('choosePassword') },
      { paragraph: t('linkWorksOnce') },
    ],
    signature: studioName ? [t('regards'), studioName] : null,
  }
}
