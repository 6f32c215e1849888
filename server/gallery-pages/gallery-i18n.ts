import { readdirSync, readFileSync } from 'node:fs'
import { must } from '../../contract/must.ts'
import type { GalleryMessageKey, GalleryMessages } from '../../locales/gallery-messages.ts'
import { t } from '../../locales/translate.ts'

export type GalleryI18n = {
  locale: string
  messages: GalleryMessages
  t: (key: GalleryMessageKey, values?: Record<string, string | number>) => string
}

const folder = new URL('../../locales/gallery/', import.meta.url)

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

/** Uses the first supported language of: the cookie, `Accept-Language` in its order, `byDefault`, English. */
export function getI18n(request: LanguagePreferences, byDefault: string): GalleryI18n {
  const accepted = (request.headers['accept-language'] ?? '').split(',')
  const acceptedLanguages = accepted.map((one) => one.trim().split(/[-;]/, 1)[0]?.toLowerCase())
  const languages = [request.cookies[languageCookie], ...acceptedLanguages, byDefault, 'en']
  const [i18n] = languages.flatMap((language) => i18nByLanguage.get(language ?? '') ?? [])
  return must(i18n, 'the English messages')
}
