import type { SettingValues } from '../../../contract/settings.ts'
import { sharePath } from '../../platform/links.ts'
import type { Letter, LetterLogo } from '../../platform/mail/letter.ts'
import type { EventRow } from '../event-rows.ts'

export type Letterhead = {
  language: SettingValues['general_default_language']
  studioName: string
  origin: string
  logo: LetterLogo | null
}

const english = {
  hello: (name: string | null) => (name ? `Hello ${name},` : 'Hello,'),
  regards: 'Kind regards',
  open: 'Open the gallery',
  password: 'Password',
  created: {
    subject: (event: string) => `Your gallery is open: ${event}`,
    text: (event: string) =>
      `The gallery “${event}” is ready for you. Enjoy looking through it, and share the link with whoever you like.`,
    passwordFollows: 'The gallery asks for a password, which comes to you separately.',
  },
  openUntil: (date: string) => `The gallery stays open until ${date}.`,
  closing: {
    subject: (event: string, date: string) => `Open until ${date}: ${event}`,
    toCustomer: (event: string, date: string) =>
      `The gallery “${event}” closes on ${date}. If there are photos you would like to see once more or to keep, now is a good time.`,
    toOperator: (event: string, date: string) =>
      `The gallery “${event}” closes on ${date}. To keep it open for longer, give the event a later expiry.`,
  },
  archived: {
    subject: (event: string) => `The gallery is closed: ${event}`,
    toCustomer: (event: string) =>
      `The gallery “${event}” has been closed, and its link no longer opens it. The photos are kept: just ask if you would like to see them again.`,
    toOperator: (event: string) =>
      `The event “${event}” has been archived. Guests no longer find its gallery; photos and feedback are kept, and it can be restored at any time.`,
  },
  selection: {
    subject: (event: string, guest: string | null) => `Selection by ${guest ?? 'a guest'}: ${event}`,
    text: (event: string, guest: string | null, number: number, count: number) =>
      `${guest ?? 'A guest'} has made a choice in the gallery “${event}”: selection no. ${number}, ${count === 1 ? '1 photo' : `${count} photos`}.`,
    note: (note: string) => `With the note: ${note}`,
    photos: (names: string, more: number) => `Photos: ${names}${more > 0 ? ` and ${more} more` : ''}`,
  },
}

const german: typeof english = {
  hello: (name) => (name ? `Hallo ${name},` : 'Hallo,'),
  regards: 'Herzliche Grüße',
  open: 'Galerie öffnen',
  password: 'Passwort',
  created: {
    subject: (event) => `Die Galerie ist eröffnet: ${event}`,
    text: (event) =>
      `die Galerie „${event}“ ist fertig. Viel Freude beim Anschauen – der Link darf gern weitergegeben werden.`,
    passwordFollows: 'Die Galerie fragt nach einem Passwort; es kommt gesondert.',
  },
  openUntil: (date) => `Die Galerie bleibt bis zum ${date} geöffnet.`,
  closing: {
    subject: (event, date) => `Geöffnet bis zum ${date}: ${event}`,
    toCustomer: (event, date) =>
      `die Galerie „${event}“ schließt am ${date}. Jetzt ist eine gute Zeit, sich die schönsten Fotos noch einmal anzusehen oder zu sichern.`,
    toOperator: (event, date) =>
      `die Galerie „${event}“ schließt am ${date}. Soll sie länger geöffnet bleiben, braucht das Event ein späteres Ablaufdatum.`,
  },
  archived: {
    subject: (event) => `Die Galerie ist geschlossen: ${event}`,
    toCustomer: (event) =>
      `die Galerie „${event}“ wurde geschlossen, ihr Link führt nicht mehr hinein. Die Fotos sind sicher aufbewahrt: Eine kurze Nachricht genügt, wenn sie noch einmal gebraucht werden.`,
    toOperator: (event) =>
      `das Event „${event}“ wurde archiviert. Gäste finden die Galerie nicht mehr; Fotos und Rückmeldungen bleiben erhalten, und es kann jederzeit wiederhergestellt werden.`,
  },
  selection: {
    subject: (event, guest) => `${guest ? `Auswahl von ${guest}` : 'Auswahl eines Gastes'}: ${event}`,
    text: (event, guest, number, count) =>
      `in der Galerie „${event}“ wurde eine Auswahl getroffen: Auswahl Nr. ${number} von ${guest ?? 'einem Gast'}, ${count === 1 ? '1 Foto' : `${count} Fotos`}.`,
    note: (note) => `Dazu die Notiz: ${note}`,
    photos: (names, more) => `Fotos: ${names}${more > 0 ? ` und ${more} weitere` : ''}`,
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
    { paragraph: messages.openUntil(lastDay(head, event)) },
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
}

const maxNames = 200

export function selectionLetter(head: Letterhead, event: EventRow, selection: SubmittedSelection): Letter {
  const { subject, text, note, photos } = messagesOf(head).selection
  const { number, guestName, filenames } = selection
  const names = filenames.slice(0, maxNames)
  return letter(head, event, 'operator', subject(event.event_name, guestName), [
    { paragraph: text(event.event_name, guestName, number, filenames.length) },
    ...(selection.note ? [{ paragraph: note(selection.note) }] : []),
    { paragraph: photos(names.join(', '), filenames.length - names.length) },
    galleryLink(head, event),
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
