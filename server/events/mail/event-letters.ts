import type { SettingValues } from '../../../contract/settings.ts'
import { sharePath } from '../../../contract/share-path.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import { type Messages, t } from '../../../locales/translate.ts'
import type { Letter, LetterLogo } from '../../platform/mail/letter.ts'
import type { EventRow } from '../event-rows.ts'
import { neverExpires } from '../event-rules.ts'

export type Letterhead = {
  language: SettingValues['general_default_language']
  studioName: string
  origin: string
  logo: LetterLogo | null
}

type CountMessages = Messages<'photos' | 'videoCount' | 'photosAndVideos'>

const englishCounts: CountMessages = {
  photos: { one: '{count} photo', other: '{count} photos' },
  videoCount: { one: '{count} video', other: '{count} videos' },
  photosAndVideos: '{photos} and {videos}',
}

const germanCounts: CountMessages = {
  photos: { one: '{count} Foto', other: '{count} Fotos' },
  videoCount: { one: '{count} Video', other: '{count} Videos' },
  photosAndVideos: '{photos} und {videos}',
}

const english = {
  hello: (name: string | null) => (name ? `Hello ${name},` : 'Hello,'),
  regards: 'Kind regards',
  open: 'Open gallery',
  openPicks: 'Open the picks',
  password: 'Password',
  created: {
    subject: (event: string) => `Your gallery is ready: ${event}`,
    text: (event: string) => `Your gallery “${event}” is ready. Enjoy your photos, and feel free to share the link.`,
    passwordFollows: 'The gallery requires a password, which you will receive separately.',
  },
  openUntil: (date: string) => `The gallery is available until ${date}.`,
  closing: {
    subject: (event: string, date: string) => `Available until ${date}: ${event}`,
    toCustomer: (event: string, date: string) =>
      `The gallery “${event}” closes on ${date}. Now is a good time to look at your photos again or save your favorites.`,
    toOperator: (event: string, date: string) =>
      `The gallery “${event}” closes on ${date}. To keep it open longer, set a later expiry date for the event.`,
  },
  archived: {
    subject: (event: string) => `The gallery is closed: ${event}`,
    toCustomer: (event: string) =>
      `The gallery “${event}” is now closed, and its link no longer works. The photos are kept. Contact us if you would like to see them again.`,
    toOperator: (event: string) =>
      `The event “${event}” has been archived. Guests can no longer open its gallery. Photos and feedback are kept, and you can restore the event at any time.`,
  },
  selection: {
    subject: (event: string, guest: string | null) => `Selection by ${guest ?? 'a guest'}: ${event}`,
    text: (event: string, guest: string | null, number: number, photos: string) =>
      `${guest ?? 'A guest'} submitted picks in the gallery “${event}”: selection ${number}, ${photos}.`,
    note: (note: string) => `Message: ${note}`,
    photos: (names: string, more: number, hasVideos: boolean) =>
      `${hasVideos ? 'Files' : 'Photos'}: ${names}${more > 0 ? ` and ${more} more` : ''}`,
  },
}

const german: typeof english = {
  hello: (name) => (name ? `Hallo ${name},` : 'Hallo,'),
  regards: 'Herzliche Grüße',
  open: 'Galerie öffnen',
  openPicks: 'Auswahl öffnen',
  password: 'Passwort',
  created: {
    subject: (event) => `Ihre Galerie ist bereit: ${event}`,
    text: (event) =>
      `Ihre Galerie „${event}“ ist bereit. Viel Freude beim Anschauen! Den Link können Sie gern weitergeben.`,
    passwordFollows: 'Die Galerie ist passwortgeschützt. Das Passwort erhalten Sie separat.',
  },
  openUntil: (date) => `Die Galerie ist bis zum ${date} verfügbar.`,
  closing: {
    subject: (event, date) => `Verfügbar bis zum ${date}: ${event}`,
    toCustomer: (event, date) =>
      `die Galerie „${event}“ schließt am ${date}. Sehen Sie sich bis dahin Ihre Fotos noch einmal an, und speichern Sie die schönsten.`,
    toOperator: (event, date) =>
      `die Galerie „${event}“ schließt am ${date}. Wenn sie länger geöffnet bleiben soll, legen Sie ein späteres Ablaufdatum fest.`,
  },
  archived: {
    subject: (event) => `Die Galerie ist geschlossen: ${event}`,
    toCustomer: (event) =>
      `die Galerie „${event}“ ist jetzt geschlossen, und ihr Link funktioniert nicht mehr. Die Fotos bleiben erhalten. Melden Sie sich, wenn Sie sie noch einmal sehen möchten.`,
    toOperator: (event) =>
      `das Event „${event}“ wurde archiviert. Gäste können die Galerie nicht mehr öffnen. Fotos und Feedback bleiben erhalten, und Sie können das Event jederzeit wiederherstellen.`,
  },
  selection: {
    subject: (event, guest) => `${guest ? `Auswahl von ${guest}` : 'Auswahl eines Gastes'}: ${event}`,
    text: (event, guest, number, photos) =>
      `${guest ?? 'ein Gast'} hat in der Galerie „${event}“ eine Auswahl gesendet: Auswahl ${number}, ${photos}.`,
    note: (note) => `Nachricht: ${note}`,
    photos: (names, more, hasVideos) =>
      `${hasVideos ? 'Dateien' : 'Fotos'}: ${names}${more > 0 ? ` und ${more} weitere` : ''}`,
  },
}

const messagesOf = ({ language }: Letterhead): typeof english => (language === 'de' ? german : english)

export type RecipientRole = 'customer' | 'operator'

/** If the gallery has a password but `hasCredential` is false, the mail says that the password is sent separately. */
export function galleryCreatedLetter(head: Letterhead, event: EventRow, hasCredential: boolean): Letter {
  const messages = messagesOf(head)
  const password = hasCredential ? { credential: messages.password } : { paragraph: messages.created.passwordFollows }
  return letter(head, event, 'customer', messages.created.subject(event.event_name), [
    { paragraph: messages.created.text(event.event_name) },
    galleryLink(head, event),
    ...(event.require_password === 1 ? [password] : []),
    ...(event.expires_at === neverExpires ? [] : [{ paragraph: messages.openUntil(lastDay(head, event)) }]),
  ])
}

export function expiryWarningLetter(head: Letterhead, event: EventRow, recipientRole: RecipientRole): Letter {
  const { closing } = messagesOf(head)
  const date = lastDay(head, event)
  const text = recipientRole === 'customer' ? closing.toCustomer : closing.toOperator
  return letter(head, event, recipientRole, closing.subject(event.event_name, date), [
    { paragraph: text(event.event_name, date) },
    galleryLink(head, event),
  ])
}

export function archiveNoticeLetter(head: Letterhead, event: EventRow, recipientRole: RecipientRole): Letter {
  const { archived } = messagesOf(head)
  const text = recipientRole === 'customer' ? archived.toCustomer : archived.toOperator
  return letter(head, event, recipientRole, archived.subject(event.event_name), [{ paragraph: text(event.event_name) }])
}

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
  const { subject, text, note, photos } = messagesOf(head).selection
  const { number, guestName, filenames, videoCount } = selection
  const counts = head.language === 'de' ? germanCounts : englishCounts
  const count = formatPhotoCount((key, values) => t(head.language, counts, key, values), filenames.length, videoCount)
  const names = filenames.slice(0, maxNames)
  return letter(head, event, 'operator', subject(event.event_name, guestName), [
    { paragraph: text(event.event_name, guestName, number, count) },
    ...(selection.note ? [{ paragraph: note(selection.note) }] : []),
    { paragraph: photos(names.join(', '), filenames.length - names.length, videoCount > 0) },
    { button: messagesOf(head).openPicks, url: `${head.origin}/admin/events/${event.id}/picks` },
  ])
}

function letter(
  head: Letterhead,
  event: EventRow,
  recipientRole: RecipientRole,
  subject: string,
  blocks: Letter['blocks'],
): Letter {
  const { hello, regards } = messagesOf(head)
  const isSigned = recipientRole === 'customer' && head.studioName !== ''
  return {
    locale: head.language,
    subject,
    greeting: hello(recipientRole === 'customer' ? event.customer_name : null),
    blocks,
    logo: recipientRole === 'customer' ? head.logo : null,
    signature: isSigned ? [regards, head.studioName] : null,
  }
}

const galleryLink = (head: Letterhead, event: EventRow) => ({
  button: messagesOf(head).open,
  url: head.origin + sharePath(event),
})

const lastDay = ({ language }: Letterhead, { expires_at }: EventRow): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(expires_at)
