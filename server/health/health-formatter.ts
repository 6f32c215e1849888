import { readdirSync, readFileSync } from 'node:fs'
import type { HealthMessageKey, HealthMessages } from '../../locales/health-messages.ts'
import { t } from '../../locales/translate.ts'
import { formatByteSize } from './format-byte-size.ts'

export type HealthFormatter = {
  t: (key: HealthMessageKey, values?: Record<string, string | number>) => string
  size: (bytes: number) => string
  /** In UTC. */
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

/** Each file of this folder is one language. */
const formatters = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace('.json', ''), loadFormatter(file)]),
)

/** Falls back to English. */
export const getHealthFormatter = (language: string): HealthFormatter =>
  (formatters.get(language) ?? formatters.get('en')) as HealthFormatter
