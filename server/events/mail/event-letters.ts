import type { Language } from '../../../contract/languages.ts'
import { sharePath } from '../../../contract/share-path.ts'
import type { MessageKey, Translate } from '../../../locales/catalogs.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import type { Letter, LetterLogo } from '../../platform/mail/letter.ts'
import { getTranslator } from '../../platform/text/messages.ts'
import type { EventRow } from '../event-rows.ts'
import { neverExpires } from '../event-rules.ts'

export type Letterhead = {
  language: Language
  studioName: string
  origin: string
  logo: LetterLogo | null
}

export type RecipientRole = 'customer' | 'operator'

/** If the gallery has a password but `hasCredential` is false, the mail says that the password is sent separately. */
export function galleryCreatedLetter(instance: Letterhead, event: EventRow, hasCredential: boolean): Letter {
  const head = headTo('customer', instance, event)
  const t = translateMail(head)
  const password = hasCredential ? { credential: t('password') } : { paragraph: t('passwordFollows') }
  return letter(head, event, 'customer', 'gallery_created', {}, [
    galleryLink(head, event),
    ...(event.require_password === 1 ? [password] : []),
    ...(event.expires_at === neverExpires ? [] : [{ paragraph: t('openUntil', { date: lastDay(head, event) }) }]),
  ])
}

export function expiryWarningLetter(instance: Letterhead, event: EventRow, recipientRole: RecipientRole): Letter {
  const head = headTo(recipientRole, instance, event)
  const text = recipientRole === 'customer' ? 'expiry_warning' : 'expiry_warning_operator'
  return letter(head, event, recipientRole, text, { date: lastDay(head, event) }, [galleryLink(head, event)])
}

export const archiveNoticeLetter = (head: Letterhead, event: EventRow, recipientRole: RecipientRole): Letter =>
  letter(
    head,
    event,
    recipientRole,
    recipientRole === 'customer' ? 'archive_notice' : 'archive_notice_operator',
    {},
    [],
  )

export type SubmittedSelection = {
  number: number
  note: string | null
  guestName: string | null
  guestEmail: string | null
  filenames: string[]
  /** How many of the files are videos. */
  videoCount: number
}

const maxNames = 200

export function selectionLetter(head: Letterhead, event: EventRow, selection: SubmittedSelection): Letter {
  const t = translateMail(head)
  const { number, guestName, note, filenames, videoCount } = selection
  const values = { guest: guestName ?? t('guest'), number, photos: formatPhotoCount(t, filenames.length, videoCount) }
  const shown = filenames.slice(0, maxNames).join(', ')
  const more = filenames.length - maxNames
  const names = more > 0 ? t('andMore', { names: shown, count: more }) : shown
  return letter(head, event, 'operator', 'selection_submitted', values, [
    ...(note ? [{ paragraph: t('message', { text: note }) }] : []),
    { paragraph: t(videoCount > 0 ? 'namesOfFiles' : 'namesOfPhotos', { names }) },
    { button: t('openPicks'), url: `${head.origin}/admin/events/${event.id}/picks` },
  ])
}

type LetterName = MessageKey<'mails'> extends infer Key ? (Key extends `${infer Name}_text` ? Name : never) : never

function letter(
  head: Letterhead,
  event: EventRow,
  recipientRole: RecipientRole,
  name: LetterName,
  values: Record<string, string | number>,
  blocks: Letter['blocks'],
): Letter {
  const t = translateMail(head)
  const all = { ...values, event: event.event_name }
  const isToCustomer = recipientRole === 'customer'
  return {
    locale: head.language,
    subject: t(`${name}_subject`, all),
    greeting: greet(t, isToCustomer ? event.customer_name : null),
    blocks: [{ paragraph: t(`${name}_text`, all) }, ...blocks],
    logo: isToCustomer ? head.logo : null,
    signature: isToCustomer && head.studioName !== '' ? [t('regards'), head.studioName] : null,
  }
}

/** Mails to the customer have the language of the event. */
const headTo = (recipientRole: RecipientRole, head: Letterhead, { language }: EventRow): Letterhead =>
  recipientRole === 'customer' && language !== null ? { ...head, language } : head

export const translateMail = ({ language }: Letterhead): Translate<MessageKey<'mails'>> =>
  getTranslator('mails', language).t

export const greet = (t: Translate<'greeting' | 'greetingTo'>, name: string | null): string =>
  name ? t('greetingTo', { name }) : t('greeting')

const galleryLink = (head: Letterhead, event: EventRow) => ({
  button: translateMail(head)('openGallery'),
  url: head.origin + sharePath(event),
})

const lastDay = ({ language }: Letterhead, { expires_at }: EventRow): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(expires_at)
