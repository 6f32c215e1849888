import { readdirSync, readFileSync } from 'node:fs'
import type { HealthTextKey, HealthTexts } from '../../texts/health-texts.ts'
import { say } from '../../texts/say.ts'
import { plainSize } from './plain-size.ts'

export type HealthVoice = {
  say: (key: HealthTextKey, values?: Record<string, string | number>) => string
  size: (bytes: number) => string
  /** In UTC. */
  day: (moment: number) => string
}

const folder = new URL('../../texts/health/', import.meta.url)

function voiceOf(file: string): HealthVoice {
  const locale = file.replace('.json', '')
  const texts: HealthTexts = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    say: (key, values) => say(locale, texts, key, values),
    size: (bytes) => plainSize(bytes, locale),
    day: (moment) => days.format(moment),
  }
}

/** Each file of this folder is one language. */
const voices = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace('.json', ''), voiceOf(file)]),
)

/** Falls back to English. */
export const healthVoice = (language: string): HealthVoice => (voices.get(language) ?? voices.get('en')) as HealthVoice
