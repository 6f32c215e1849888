import { readdirSync, readFileSync } from 'node:fs'
import { must } from '../../../contract/must.ts'
import { chooseLanguage } from '../../../locales/choose-language.ts'
import type { GalleryMessageKey, GalleryMessages } from '../../../locales/gallery-messages.ts'
import { t } from '../../../locales/translate.ts'

export type GalleryI18n = {
  locale: string
  messages: GalleryMessages
  t: (key: GalleryMessageKey, values?: Record<string, string | number>) => string
}

const folder = new URL('../../../locales/gallery/', import.meta.url)

const messagesIn = (file: string): GalleryMessages => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
const english = messagesIn('en.json')

const loadI18n = (file: string): GalleryI18n => {
  const locale = file.replace('.json', '')
  const messages = { ...english, ...messagesIn(file) }
  return { locale, messages, t: (key, values) => t(locale, messages, key, values) }
}

const i18nByLanguage = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace('.json', ''), loadI18n(file)]),
)

export const galleryLanguages = [...i18nByLanguage].map(([code, { messages }]) => ({
  code,
  name: String(messages.language),
}))

export const languageCookie = 'language'

type LanguagePreferences = {
  cookies: Record<string, string | undefined>
  headers: { 'accept-language'?: string | undefined }
}

/** Uses the language of the cookie if it is supported, else what `chooseLanguage` returns. */
export function getI18n({ cookies, headers }: LanguagePreferences, byDefault: string): GalleryI18n {
  const chosen = i18nByLanguage.get(cookies[languageCookie] ?? '')
  const codes = [...i18nByLanguage.keys()]
  const accepted = () => i18nByLanguage.get(chooseLanguage(headers['accept-language'] ?? '', codes, byDefault))
  return must(chosen ?? accepted(), 'the English messages')
}
