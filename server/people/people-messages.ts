import { chooseLanguage } from '../../locales/choose-language.ts'

const english = {
  locale: 'en',
  hello: (name: string) => `Hello ${name},`,
  regards: 'Kind regards',
  inviteSubject: (studio: string) => `Your account${studio && ` at ${studio}`}`,
  invited: (studio: string, username: string) =>
    `An account has been created for you${studio && ` at ${studio}`}. Your user name is ${username}. Choose a password to get started.`,
  resetSubject: 'Choose a new password',
  reset: (username: string) =>
    `The password of your account ${username} has been reset, and you have been signed out everywhere. Choose a new password to sign in again.`,
  choose: 'Choose a password',
  once: 'The link works once and expires after 7 days.',
  title: 'Choose a password',
  forAccount: (username: string) => `For the account ${username}. At least 12 characters.`,
  password: 'Password',
  again: 'Repeat password',
  save: 'Save password',
  differs: 'The passwords do not match. Try again.',
  tooShort: 'The password must have 12 to 128 characters.',
  elsewhere:
    'This form was sent from another website and had no effect. Use the form on this page. If this message appears again, open the link in another browser.',
  doneTitle: 'Password saved',
  done: (username: string) => `You can now sign in as ${username}.`,
  signIn: 'Sign in',
  goneTitle: 'This link is no longer valid',
  gone: 'It has already been used, or it expired after 7 days. Ask for a new one.',
  limited: 'Too many attempts with invalid links. Try again later.',
  failedTitle: 'Something went wrong',
  failed: 'Try again in a moment.',
}

export type PeopleMessages = typeof english

const german: PeopleMessages = {
  locale: 'de',
  hello: (name) => `Hallo ${name},`,
  regards: 'Herzliche Grüße',
  inviteSubject: (studio) => `Ihr Konto${studio && ` bei ${studio}`}`,
  invited: (studio, username) =>
    `für Sie wurde ein Konto angelegt${studio && ` bei ${studio}`}. Ihr Benutzername ist ${username}. Wählen Sie ein Passwort, um loszulegen.`,
  resetSubject: 'Neues Passwort wählen',
  reset: (username) =>
    `das Passwort Ihres Kontos ${username} wurde zurückgesetzt, und Sie wurden überall abgemeldet. Wählen Sie ein neues Passwort, um sich wieder anzumelden.`,
  choose: 'Passwort wählen',
  once: 'Der Link funktioniert nur einmal und läuft nach 7 Tagen ab.',
  title: 'Passwort wählen',
  forAccount: (username) => `Für das Konto ${username}. Mindestens 12 Zeichen.`,
  password: 'Passwort',
  again: 'Passwort wiederholen',
  save: 'Passwort speichern',
  differs: 'Die Passwörter stimmen nicht überein. Versuchen Sie es noch einmal.',
  tooShort: 'Das Passwort muss 12 bis 128 Zeichen lang sein.',
  elsewhere:
    'Dieses Formular kam von einer anderen Website und hatte keine Wirkung. Verwenden Sie das Formular auf dieser Seite. Wenn diese Meldung wieder erscheint, öffnen Sie den Link in einem anderen Browser.',
  doneTitle: 'Passwort gespeichert',
  done: (username) => `Sie können sich jetzt als ${username} anmelden.`,
  signIn: 'Anmelden',
  goneTitle: 'Dieser Link ist nicht mehr gültig',
  gone: 'Er wurde bereits verwendet oder ist nach 7 Tagen abgelaufen. Bitten Sie um einen neuen.',
  limited: 'Zu viele Versuche mit ungültigen Links. Versuchen Sie es später noch einmal.',
  failedTitle: 'Etwas ist schiefgegangen',
  failed: 'Versuchen Sie es gleich noch einmal.',
}

const messages: Record<string, PeopleMessages> = { en: english, de: german }

export const messagesIn = (language: string): PeopleMessages => messages[language] ?? english

export const messagesFor = (
  { headers }: { headers: { 'accept-language'?: string | undefined } },
  byDefault: string,
): PeopleMessages => messagesIn(chooseLanguage(headers['accept-language'] ?? '', Object.keys(messages), byDefault))
