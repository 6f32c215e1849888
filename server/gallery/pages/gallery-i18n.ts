import { type Language, languages } from '../../../contract/languages.ts'
import { nameLanguage } from '../../../locales/name-language.ts'
import { acceptLanguage, getTranslator, type Translator } from '../../platform/text/messages.ts'

export type GalleryI18n = Translator<'gallery'>

export const listGalleryLanguages = (): { code: Language; name: string }[] =>
  languages.map((code) => ({ code, name: nameLanguage(code) }))

export const languageCookie = 'language'

type Preferences = Parameters<typeof acceptLanguage>[0] & { cookies: Record<string, string | undefined> }

/** Uses the language that the guest has chosen, else that of the event, else what `acceptLanguage` returns. */
export function getI18n(request: Preferences, ofEvent: Language | null, byDefault: Language): GalleryI18n {
  const chosen = languages.find((code) => code === request.cookies[languageCookie])
  return getTranslator('gallery', chosen ?? ofEvent ?? acceptLanguage(request, byDefault))
}
