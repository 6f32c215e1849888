import type { MessageKey } from '../../../locales/catalogs.ts'
import { t } from '../../platform/text/command-messages.ts'

export type Severity = 'ok' | 'warning' | 'error'

/** One line of `proofroom doctor`. `fix` says what to do; null for `ok`. */
export type Finding = { check: string; severity: Severity; text: string; fix: string | null }

export type Check = Extract<MessageKey<'commands'>, `check${string}`>

const report = (check: Check, severity: Severity, text: string, fix: string | null = null): Finding => ({
  check: t(check),
  severity,
  text,
  fix,
})
export const ok = (check: Check, text: string): Finding => report(check, 'ok', text)
export const warning = (check: Check, text: string, fix: string): Finding => report(check, 'warning', text, fix)
export const error = (check: Check, text: string, fix: string): Finding => report(check, 'error', text, fix)

/** Returns the message of an error, with its code if the message does not contain the code. */
export function describeError(cause: unknown): string {
  const { message = '', code, errors } = cause as Error & { code?: string; errors?: unknown[] }
  // A connection to several addresses of one name fails with a list of errors, and without a message.
  if (!message && errors?.length) return describeError(errors[0])
  const text = message.split('\n')[0] ?? ''
  return code && !text.includes(code) ? `${text} (${code})`.trim() : text
}
