import type { FastifyRequest } from 'fastify'

const english = {
  locale: 'en',
  password: 'Password',
  passwordWanted: 'This gallery is protected. Enter the password you were given.',
  passwordWrong: 'That password is not right. Try again.',
  passwordLimited:
    'Too many wrong passwords were tried. Open the gallery by the whole link you were given, or ask for the password again.',
  open: 'Open the gallery',
  continueHere: 'Go on here with what you have marked on your other device. This link works once.',
  continue: 'Continue on this device',
  usedUp:
    'This link has been used already, or its 15 minutes have passed. Make a new one on the device you began with.',
  photos: (count: number) => (count === 1 ? '1 photo' : `${count} photos`),
  photo: (number: number, total: number) => `Photo ${number} of ${total}`,
  video: (number: number, total: number) => `Video ${number} of ${total}`,
  download: 'Download',
  previous: 'Previous',
  next: 'Next',
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  empty: 'The photos are on their way. Look in again soon.',
  hiddenUntil: (when: string) => `The photos will be shown on ${when}.`,
  notFoundTitle: 'This gallery cannot be found',
  notFound: 'Check the link you were given, or ask for a new one.',
  expiredTitle: 'This gallery has closed',
  expired: 'Its time has passed. Ask your photographer to open it again.',
  imprint: 'Imprint',
  privacy: 'Privacy',
}

export type GalleryTexts = typeof english

const german: GalleryTexts = {
  locale: 'de',
  password: 'Passwort',
  passwordWanted: 'Diese Galerie ist geschützt. Bitte das Passwort eingeben.',
  passwordWrong: 'Das Passwort stimmt nicht. Bitte noch einmal versuchen.',
  passwordLimited:
    'Zu viele falsche Passwörter. Bitte den vollständigen Link öffnen oder das Passwort noch einmal erfragen.',
  open: 'Galerie öffnen',
  continueHere:
    'Hier geht es weiter mit dem, was auf dem anderen Gerät markiert wurde. Dieser Link funktioniert einmal.',
  continue: 'Auf diesem Gerät weitermachen',
  usedUp:
    'Dieser Link wurde schon benutzt, oder seine 15 Minuten sind um. Bitte auf dem ersten Gerät einen neuen erzeugen.',
  photos: (count) => (count === 1 ? '1 Foto' : `${count} Fotos`),
  photo: (number, total) => `Foto ${number} von ${total}`,
  video: (number, total) => `Video ${number} von ${total}`,
  download: 'Herunterladen',
  previous: 'Zurück',
  next: 'Weiter',
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  empty: 'Die Fotos sind unterwegs. Schau bald wieder herein.',
  hiddenUntil: (when) => `Die Fotos sind ab ${when} zu sehen.`,
  notFoundTitle: 'Diese Galerie gibt es nicht',
  notFound: 'Bitte den Link prüfen oder einen neuen erfragen.',
  expiredTitle: 'Diese Galerie ist geschlossen',
  expired: 'Ihre Zeit ist abgelaufen. Der Fotograf kann sie wieder öffnen.',
  imprint: 'Impressum',
  privacy: 'Datenschutz',
}

const texts: Record<string, GalleryTexts> = { en: english, de: german }

/** In the reader's language where it is one of ours, else in the instance's. */
export function textsFor(request: FastifyRequest, byDefault: string): GalleryTexts {
  const wanted = (request.headers['accept-language'] ?? '')
    .split(',')
    .map((one) => one.trim().slice(0, 2).toLowerCase())
  const spoken = wanted.find((language) => texts[language])
  return texts[spoken ?? byDefault] ?? english
}
