import { sourceLanguage } from '../../../contract/languages.ts'
import { problems } from '../../../contract/problems.ts'
import { ApiError, type FieldError, Unreachable } from '../../shared/api-error.ts'
import { hasMessage, language, translator } from '../app/language.ts'

const t = translator('problems')

/** Returns a message for any error, translated into the language of the user where possible. */
export function errorMessage(error: unknown): string {
  if (error instanceof Unreachable) return t('unreachable')
  if (!(error instanceof ApiError)) return t('unknown')
  const { details, retryAfterSeconds } = error
  const reason = details.length > 0 ? [...new Set(details.map(fieldErrorMessage))].join(' ') : problemMessage(error)
  return [reason, retryAfterSeconds > 0 && retryMessage(retryAfterSeconds)].filter(Boolean).join(' ')
}

/** Returns the error of the field at a path such as `password`, in the language of the user; null for none. */
export function findFieldMessage(error: unknown, path: string): string | null {
  const fieldError = findFieldError(error, path)
  return fieldError ? fieldErrorMessage(fieldError) : null
}

/** Returns the error of a field in English, as the service sends it; null for none. */
export const findServerFieldMessage = (error: unknown, path: string): string | null =>
  findFieldError(error, path)?.message || null

const findFieldError = (error: unknown, path: string): FieldError | undefined =>
  error instanceof ApiError ? error.details.find((detail) => detail.path.replace(/^\//, '') === path) : undefined

/**
 * Returns the translation for the problem code, or the message of the response if there is none. In English, a message
 * that differs from the general text in contract/problems.ts is more specific and is returned instead.
 */
function problemMessage({ code, message }: ApiError): string {
  const sizeLimit = code === 'FILE_TOO_LARGE' && /(\d+) MB per file/.exec(message)?.[1]
  if (sizeLimit) return t('fileTooLargeLimit', { limit: sizeLimit })
  if (!hasMessage('problems', code)) return message
  const isSpecific = Object.hasOwn(problems, code) && problems[code as keyof typeof problems].text !== message
  return language === sourceLanguage && isSpecific ? message : t(code)
}

function fieldErrorMessage({ kind, limit = 0, message }: FieldError): string {
  if (language === sourceLanguage && (kind === undefined || kind === 'wrong_form')) return toSentence(message)
  const key = `fault_${kind}`
  return hasMessage('problems', key) ? t(key, { count: limit }) : t('faultOther')
}

const toSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replace(/[^.!?]$/, '$&.')

const retryMessage = (seconds: number): string =>
  seconds < 120
    ? t('retryAfterSeconds', { count: seconds })
    : t('retryAfterMinutes', { count: Math.ceil(seconds / 60) })
