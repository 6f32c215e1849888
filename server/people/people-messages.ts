const english = {
  locale: 'en',
  hello: (name: string) => `Hello ${name},`,
  regards: 'Kind regards',
  inviteSubject: (studio: string) => `Your account${studio && ` at ${studio}`}`,
  invited: (studio: string, username: string) =>
    `An account has been made for you${studio && ` at ${studio}`}. Your user name is ${username}; choose your password to begin.`,
  resetSubject: 'Choose a new password',
  reset: (username: string) =>
    `The password of your account ${username} has been reset, and all its sessions have ended. Choose a new one to sign in again.`,
  choose: 'Choose a password',
  once: 'The link works once, for 7 days.',
  title: 'Choose a password',
  forAccount: (username: string) => `For the account ${username}. At least 12 characters.`,
  password: 'Password',
  again: 'The same password again',
  save: 'Save the password',
  differs: 'The two passwords are not the same. Try again.',
  tooShort: 'The password needs 12 to 128 characters.',
  doneTitle: 'The password is set',
  done: (username: string) => `You can now sign in as ${username}.`,
  goneTitle: 'This link opens nothing any more',
  gone: 'It has been used already, or its 7 days have passed. Ask for a new one.',
  limited: 'Too many links that lead nowhere were tried from here. Try again later.',
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
    `für Sie wurde ein Konto angelegt${studio && ` bei ${studio}`}. Ihr Benutzername ist ${username}; zum Anfangen fehlt nur noch ein Passwort.`,
  resetSubject: 'Ein neues Passwort wählen',
  reset: (username) =>
    `das Passwort Ihres Kontos ${username} wurde zurückgesetzt, alle Anmeldungen sind beendet. Mit einem neuen Passwort geht es weiter.`,
  choose: 'Passwort wählen',
  once: 'Der Link funktioniert einmal, sieben Tage lang.',
  title: 'Passwort wählen',
  forAccount: (username) => `Für das Konto ${username}. Mindestens 12 Zeichen.`,
  password: 'Passwort',
  again: 'Dasselbe Passwort noch einmal',
  save: 'Passwort speichern',
  differs: 'Die beiden Passwörter sind verschieden. Bitte noch einmal.',
  tooShort: 'Das Passwort braucht 12 bis 128 Zeichen.',
  doneTitle: 'Das Passwort ist gesetzt',
  done: (username) => `Die Anmeldung als ${username} ist jetzt möglich.`,
  goneTitle: 'Dieser Link führt nirgends mehr hin',
  gone: 'Er wurde schon benutzt, oder seine sieben Tage sind um. Bitte einen neuen erfragen.',
  limited: 'Von hier wurden zu viele Links versucht, die nirgends hinführen. Bitte später noch einmal.',
  failedTitle: 'Etwas ist schiefgegangen',
  failed: 'Bitte gleich noch einmal versuchen.',
}

const messages: Record<string, PeopleMessages> = { en: english, de: german }

export const messagesIn = (language: string): PeopleMessages => messages[language] ?? english

export function messagesFor({ headers }: { headers: { 'accept-language'?: string | undefined } }, byDefault: string) {
  const wanted = (headers['accept-language'] ?? '').split(',').map((one) => one.trim().slice(0, 2).toLowerCase())
  return messagesIn(wanted.find((language) => messages[language]) ?? byDefault)
}
