import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { Letter } from '../../platform/mail/letter.ts'
import type { EventRow } from '../event-rows.ts'
import { describeSubscription, headTo, letter, type Subscription } from './event-letters.ts'
import { describeNumbers, describeRound, picksLink, type RoundNumbers, type SentRound } from './round-blocks.ts'
import { type Letterhead, type LetterParts, translateMail } from './write-letter.ts'

export type MailedGuest = { name: string | null; email: string; galleryUrl: string } & Subscription

/** A mail about a round or the first look to a guest. */
export type GuestRoundMail = { guest: MailedGuest; selectionId?: number } & (
  | { kind: 'selection_sent'; round: SentRound }
  | { kind: 'selection_reopened'; message: string; numbers: RoundNumbers }
  | { kind: 'selection_reminder'; count: number; numbers: RoundNumbers }
  | { kind: 'first_look_asked' }
  | { kind: 'first_look_complete' }
)

/** It has no words of the guest, because guests can type the address of somebody else. */
export function guestRoundLetter(
  db: Database,
  instance: Letterhead,
  event: EventRow,
  mail: GuestRoundMail,
): Promise<Letter> {
  const head = headTo('customer', instance, event)
  const t = translateMail(head)
  const { guest, kind } = mail
  const gallery = { button: t('openGallery'), url: guest.galleryUrl }
  const parts = (): LetterParts => {
    switch (mail.kind) {
      case 'selection_sent': {
        const { round } = mail
        const receipt = { button: t('openReceipt'), url: head.origin + round.receiptPath }
        return { values: {}, blocks: { round: [describeRound(t, round)], link: [receipt] } }
      }
      case 'selection_reopened': {
        const message = [{ paragraph: [t('message', { text: mail.message })] }]
        return { values: {}, blocks: { message, numbers: [describeNumbers(head, mail.numbers)], link: [gallery] } }
      }
      case 'selection_reminder': {
        const numbers = [describeNumbers(head, mail.numbers)]
        const values = { photos: formatPhotoCount(t, mail.count, 0) }
        return { values, blocks: { numbers, link: [gallery] } }
      }
      case 'first_look_asked':
      case 'first_look_complete':
        return { values: {}, blocks: { link: [gallery] } }
    }
  }
  const { values, blocks } = parts()
  const subscription = describeSubscription(t, guest)
  return letter(db, head, event, 'customer', kind, { ...blocks, subscription }, values, guest.name)
}

export type AskedReopening = { number: number; guestName: string | null; message: string | null }

/** A guest asks the operators to open a round again. */
export function reopeningLetter(
  db: Database,
  head: Letterhead,
  event: EventRow,
  { number, guestName, message }: AskedReopening,
): Promise<Letter> {
  const t = translateMail(head)
  const blocks = {
    message: message ? [{ paragraph: [t('message', { text: message })] }] : [],
    link: [picksLink(head, event)],
  }
  const values = { guest: guestName ?? t('guest'), number }
  return letter(db, head, event, 'operator', 'reopening_asked', blocks, values)
}
