import type { HealthItem } from '../../contract/instance/health.ts'
import type { Language } from '../../contract/languages.ts'
import type { TranslateCatalog } from '../../locales/catalogs.ts'
import { getTranslator } from '../platform/text/messages.ts'
import { formatByteSize } from './format-byte-size.ts'

export type CheckResult = Pick<HealthItem, 'status' | 'text' | 'fix'>

export const ok = (text: string): CheckResult => ({ status: 'ok', text, fix: null })
export const warn = (text: string, fix: string): CheckResult => ({ status: 'warn', text, fix })
export const fail = (text: string, fix: string): CheckResult => ({ status: 'fail', text, fix })

export type HealthFormatter = {
  t: TranslateCatalog<'health'>
  size: (bytes: number) => string
  /** Formats a date in UTC. */
  day: (moment: number) => string
}

export function getHealthFormatter(language: Language): HealthFormatter {
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    t: getTranslator('health', language).t,
    size: (bytes) => formatByteSize(bytes, language),
    day: (moment) => days.format(moment),
  }
}
