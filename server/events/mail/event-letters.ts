import type { LetterName } from '../../../contract/instance/letters.ts'
import { sharePath } from '../../../contract/share-path.ts'
import type { TranslateCatalog } from '../../../locales/catalogs.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { Block, Letter } from '../../platform/mail/letter.ts'
import type { EventRow } from '../event-rows.ts'
import { neverExpires } from '../event-rules.ts'
import { describeDifference, describeRound, listFiles, picksLink, type SentRound } from './round-blocks.ts'
import { formatMailDay, type Letterhead, type LetterParts, translateMail, writeLetter } from './write-letter.ts'

export type RecipientRole = 'customer' | 'operator'

/** If the gallery has a password but `hasCredential` is false, the mail says that the password is sent separately. */
export function galleryCreatedLetter(
  db: Database,
  instance: Letterhead,
  event: EventRow,
  hasCredential: boolean,
): Promise<Letter> {
  const head = headTo('customer', instance, event)
  const t = translateMail(head)
  const password = hasCredential ? { credential: t('password') } : { paragraph: [t('passwordFollows')] }
  return letter(db, head, event, 'customer', 'gallery_created', {
    link: [galleryLink(head, event)],
    password: event.require_password === 1 ? [password] : [],
    expiry:
      event.expires_at === neverExpires
        ? []
        : [{ paragraph: [t('openUntil', { date: formatMailDay(head, event.expires_at) })] }],
  })
}

export function expiryWarningLetter(
  db: Database,
  instance: Letterhead,
  event: EventRow,
  recipientRole: RecipientRole,
): Promise<Letter> {
  const head = headTo(recipientRole, instance, event)
  const name = recipientRole === 'customer' ? 'expiry_warning' : 'expiry_warning_operator'
  const link = [galleryLink(head, event)]
  return letter(db, head, event, recipientRole, name, { link }, { date: formatMailDay(head, event.expires_at) })
}

export function archiveNoticeLetter(
  db: Database,
  instance: Letterhead,
  event: EventRow,
  recipientRole: RecipientRole,
): Promise<Letter> {
  const name = recipientRole === 'customer' ? 'archive_notice' : 'archive_notice_operator'
  return letter(db, headTo(recipientRole, instance, event), event, recipientRole, name, {})
}

export type SubmittedSelection = {
  number: number
  note: string | null
  guestName: string | null
  guestEmail: string | null
  filenames: string[]
  /** How many of the files are videos. */
  videoCount: number
  /** Null without a package. */
  round: SentRound | null
}

export function selectionLetter(
  db: Database,
  head: Letterhead,
  event: EventRow,
  { number, guestName, note, filenames, videoCount, round }: SubmittedSelection,
): Promise<Letter> {
  const t = translateMail(head)
  const blocks = {
    round: round ? [describeRound(t, round)] : [],
    message: note ? [{ paragraph: [t('message', { text: note })] }] : [],
    difference: round ? describeDifference(t, round) : [],
    files: [listFiles(t, filenames, videoCount)],
    link: [
      picksLink(head, event),
      ...(round ? [{ button: t('openReceipt'), url: head.origin + round.receiptPath }] : []),
    ],
  }
  const photos = formatPhotoCount(t, filenames.length, videoCount)
  const values = { guest: guestName ?? t('guest'), number, photos }
  return letter(db, head, event, 'operator', 'selection_submitted', blocks, values)
}

/** A thread with something new, for a mail. */
export type ToldThread = {
  photo: { id: number; name: string; width: number; height: number; hasThumbnail: boolean } | null
  /** Null if it was taken back. */
  text: string | null
  guestName: string | null
  answers: Array<{ text: string; guestName: string | null }>
}

export type ToldThreads = {
  threads: readonly ToldThread[]
  moreCount: number
  /** The recipient; null for the operators. */
  guest: { name: string | null; email: string } | null
  /** Returns the address of a photo with its threads, or of all threads if the id is null. */
  urlOf: (photoId: number | null) => string
} & Subscription

/** A link to confirm the address, or one to unsubscribe. */
export type Subscription = { confirm?: string; unsubscribe?: string }

export const describeSubscription = (t: TranslateCatalog<'mails'>, { confirm, unsubscribe }: Subscription): Block[] =>
  confirm
    ? [{ paragraph: [t('confirmWhy')] }, { button: t('confirm_button'), url: confirm }]
    : unsubscribe
      ? [{ footnote: t('unsubscribe_button'), url: unsubscribe }]
      : []

export function threadsLetter(
  db: Database,
  instance: Letterhead,
  event: EventRow,
  { threads, moreCount, guest, urlOf, ...subscription }: ToldThreads,
): Promise<Letter> {
  const role = guest === null ? 'operator' : 'customer'
  const head = headTo(role, instance, event)
  const t = translateMail(head)
  const nameOf = (name: string | null) => name ?? t('guest')
  const answerer = (name: string | null) => (guest === null ? nameOf(name) : instance.studioName || t('photographer'))
  const requests = threads.flatMap(({ photo, text, guestName, answers }): Block[] => [
    photo?.hasThumbnail
      ? {
          ...{ picture: photo.name, source: pictureSource(photo.id), url: urlOf(photo.id) },
          ...{ width: photo.width, height: photo.height },
        }
      : { paragraph: [photo?.name ?? t('wholeGallery')] },
    {
      paragraph: [
        ...(text === null ? [] : [t('said', { name: nameOf(guestName), text })]),
        ...answers.map((answer) => t('said', { name: answerer(answer.guestName), text: answer.text })),
      ],
    },
  ])
  const photo = threads.find((thread) => thread.photo !== null)?.photo
  const link =
    guest === null
      ? { button: t('openRequests'), url: urlOf(null) }
      : { button: t('openGallery'), url: urlOf(photo?.id ?? null) }
  const blocks = {
    requests: [...requests, ...(moreCount > 0 ? [{ paragraph: [t('moreRequests', { count: moreCount })] }] : [])],
    link: [link],
    subscription: describeSubscription(t, subscription),
  }
  const name = guest === null ? 'thread_asked' : 'thread_answered'
  return letter(db, head, event, role, name, blocks, {}, guest?.name)
}

/** The source of a picture that is attached when the mail is sent. */
const pictureSource = (photoId: number): string => `cid:photo-${photoId}@proofroom`

export function letter(
  db: Database,
  head: Letterhead,
  event: EventRow,
  recipientRole: RecipientRole,
  name: LetterName,
  blocks: LetterParts['blocks'],
  values: LetterParts['values'] = {},
  recipient: string | null = recipientRole === 'customer' ? event.customer_name : null,
): Promise<Letter> {
  const isToCustomer = recipientRole === 'customer'
  return writeLetter(db, isToCustomer ? head : { ...head, logo: null }, {
    letter: name,
    eventId: event.id,
    recipient,
    values: { ...values, event: event.event_name },
    blocks,
  })
}

/** Mails to the customer have the language of the event. */
export const headTo = (recipientRole: RecipientRole, head: Letterhead, { language }: EventRow): Letterhead =>
  recipientRole === 'customer' && language !== null ? { ...head, language } : head

const galleryLink = (head: Letterhead, event: EventRow) => ({
  button: translateMail(head)('openGallery'),
  url: head.origin + sharePath(event),
})
