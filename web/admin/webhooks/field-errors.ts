import { sourceLanguage } from '../../../contract/languages.ts'
import { language, translator } from '../app/language.ts'
import { findServerFieldMessage } from '../components/error-messages.ts'

const t = translator('webhooks')

/** Patterns of English errors of the service, with the message that explains what to do. */
const patterns = [
  [/private or reserved|local network/, 'wrongPrivate'],
  [/user name or password/, 'wrongCredentials'],
  [/belongs to another protocol/, 'wrongPort'],
  [/host name/, 'wrongHost'],
  [/URL such as/, 'wrongAddress'],
  [/paths such as|path of more/, 'wrongPath'],
  [/empty list|as values|fewer than 1 values/, 'wrongValues'],
  [/more than 20|20 keys/, 'wrongTooManyPaths'],
  [/close every/, 'wrongOpenPlace'],
  [/a path in every/, 'wrongEmptyPlace'],
  [/substitutions/, 'wrongTooManyPlaces'],
  [/8 KB|8192/, 'wrongTooLong'],
  [/64 KB/, 'wrongBodyTooLong'],
] as const

export function findWebhookFieldError(error: unknown, path: string): string | null {
  const message = findServerFieldMessage(error, path)
  if (message === null) return null
  const [, key] = patterns.find(([pattern]) => pattern.test(message)) ?? []
  if (key) return t(key)
  if (path === 'url') return t('wrongAddress')
  if (path === 'name') return t('wrongName')
  if (path === 'events') return t('wrongEvents')
  return language === sourceLanguage ? message : t('wrongValue')
}
