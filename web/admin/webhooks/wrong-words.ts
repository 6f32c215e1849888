import { language, sayIn } from '../desk/language.ts'
import { wrongAt } from '../parts/error-messages.ts'

const say = sayIn('webhooks')

/** Patterns of the English errors of the service, for messages that explain what to do. */
const words = [
  [/private or reserved|local network/, 'wrongPrivate'],
  [/user name or password/, 'wrongCredentials'],
  [/belongs to another protocol/, 'wrongPort'],
  [/must name (its host|a host)/, 'wrongHost'],
  [/address such as/, 'wrongAddress'],
  [/paths such as|path of more/, 'wrongPath'],
  [/empty list|as its values|fewer than 1 values/, 'wrongValues'],
  [/more than 20|20 keys/, 'wrongTooManyPaths'],
  [/close every/, 'wrongOpenPlace'],
  [/name a path in every/, 'wrongEmptyPlace'],
  [/substitutions/, 'wrongTooManyPlaces'],
  [/8 KB|8192/, 'wrongTooLong'],
  [/64 KB/, 'wrongBodyTooLong'],
] as const

export function wrongField(error: unknown, path: string): string | null {
  const message = wrongAt(error, path)
  if (message === null) return null
  const [, key] = words.find(([pattern]) => pattern.test(message)) ?? []
  if (key) return say(key)
  if (path === 'url') return say('wrongAddress')
  if (path === 'name') return say('wrongName')
  if (path === 'events') return say('wrongEvents')
  return language === 'en' ? message : say('wrongValue')
}
