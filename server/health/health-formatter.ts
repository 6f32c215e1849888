import { readdirSync, readFileSync } from 'node:fs'
import type { HealthItem } from '../../contract/instance/health.ts'
import { must } from '../../contract/must.ts'
import type { HealthMessageKey, HealthMessages } from '../../locales/health-messages.ts'
import { t } from '../../locales/translate.ts'
import { formatByteSize } from './format-byte-size.ts'

export type CheckResult = Pick<HealthItem, 'status' | 'text' | 'fix'>

export const ok = (text: string): CheckResult => ({ status: 'ok', text, fix: null })
export const warn = (text: string, fix: string): CheckResult => ({ status: 'warn', text, fix })
export const fail = (text: string, fix: string): CheckResult => ({ status: 'fail', text, fix })

export type HealthFormatter = {
  t: (key: HealthMessageKey, values?: Record<string, string | number>) => string
  size: (bytes: number) => string
  /** Formats a date in UTC. */
  day: (moment: number) => string
}

const folder = new URL('../../locales/health/', import.meta.url)

function loadFormatter(file: string): HealthFormatter {
  const locale = file.replace('.json', '')
  const messages: HealthMessages = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    t: (key, values) => t(locale, messages, key, values),
    size: (bytes) => formatByteSize(bytes, locale),
    day: (moment) => days.format(moment),
  }
}

/** By language: each JSON file in `folder` is one language. */
const formatters = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace('.json', ''), loadFormatter(file)]),
)

export const getHealthFormatter = (language: string): HealthFormatter =>
  formatters.get(language) ?? must(formatters.get('en'), 'the English messages')
