import { problems } from '../../../contract/problems.ts'
import { ApiError, type Fault, Unreachable } from '../api/api-error.ts'
import { hasMessage, language, translator } from '../desk/language.ts'

const t = translator('problems')

/** Returns a message for any error, in the language of the user where there is a translation. */
export function errorMessage(error: unknown): string {
  if (error instanceof Unreachable) return t('unreachable')
  if (!(error instanceof ApiError)) return t('unknown')
  const { details, retryAfterSeconds } = error
  const reason = details.length > 0 ? [...new Set(details.map(fieldErrorMessage))].join(' ') : problemMessage(error)
  return [reason, retryAfterSeconds === null ? '' : retryMessage(retryAfterSeconds)].filter(Boolean).join(' ')
}

/** Returns the error of the field at a path such as `password`, in the language of the user; null for none. */
export function faultAt(error: unknown, path: string): string | null {
  const fault = findFault(error, path)
  return fault ? fieldErrorMessage(fault) : null
}

/** Returns the same error in English, as the service sends it. */
export const wrongAt = (error: unknown, path: string): string | null => findFault(error, path)?.message || null

const findFault = (error: unknown, path: string): Fault | undefined =>
  error instanceof ApiError ? error.details.find((detail) => detail.path.replace(/^\//, '') === path) : undefined

/** In English, the message of the service may be more specific than the general one of the code. */
function problemMessage({ code, message }: ApiError): string {
  if (code === null || !hasMessage('problems', code)) return message
  const isOfThisCase = Object.hasOwn(problems, code) && problems[code as keyof typeof problems].text !== message
  return language === 'en' && isOfThisCase ? message : t(code)
}

function fieldErrorMessage({ kind, limit = 0, message }: Fault): string {
  if (language === 'en' && (kind === undefined || kind === 'wrong_form')) return asSentence(message)
  const key = `fault_${kind}`
  return hasMessage('problems', key) ? t(key, { count: limit }) : t('faultOther')
}

const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replace(/[^.!?]$/, '$&.')

const retryMessage = (seconds: number): string =>
  seconds < 120
    ? t('retryAfterSeconds', { count: seconds })
    : t('retryAfterMinutes', { count: Math.ceil(seconds / 60) })
