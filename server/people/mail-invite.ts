import type { User } from '../access/account-rows.ts'
import { type Letterhead, translateMail, writeLetter } from '../events/mail/write-letter.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { Letter } from '../platform/mail/letter.ts'
import { queueMail } from '../platform/mail/queue-mail.ts'
import type { AppContext } from '../settings/app-context.ts'
import { addInvite } from './invite-rows.ts'

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
    letter: await inviteLetter(tx, head, kind, user),
    credential: head.origin + invitePath(token),
  })
}

function inviteLetter(tx: Tx, head: Letterhead, kind: InviteMailKind, { username }: User): Promise<Letter> {
  return writeLetter(
    tx,
    { ...head, logo: null },
    {
      letter: kind,
      eventId: null,
      recipient: username,
      values: { username },
      blocks: { link: [{ credentialButton: translateMail(head)('choosePassword') }] },
    },
  )
}
