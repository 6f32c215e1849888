import { readFileSync } from 'node:fs'
import { type Language, languages } from '../../../contract/languages.ts'
import type { CatalogName, MessageKey, TranslateCatalog } from '../../../locales/catalogs.ts'
import { chooseLanguage } from '../../../locales/choose-language.ts'
import { type Messages, t } from '../../../locales/translate.ts'

export type Translator<Name extends CatalogName> = {
  locale: Language
  messages: Messages<MessageKey<Name>>
  t: TranslateCatalog<Name>
}

const folder = new URL('../../../locales/', import.meta.url)

const translators = new Map<string, Translator<CatalogName>>()

/** Reads the file of the language when it is first used. */
export function getTranslator<Name extends CatalogName>(name: Name, locale: Language): Translator<Name> {
  const file = `${locale}/${name}.json`
  const known = translators.get(file)
  if (known) return known as Translator<Name>
  const messages: Messages<MessageKey<Name>> = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  const translator: Translator<Name> = { locale, messages, t: (key, values) => t(locale, messages, key, values) }
  translators.set(file, translator as Translator<CatalogName>)
  return translator
}

type Preferences = { headers: { 'accept-language'?: string | undefined } }

/** Returns the language for a request: of its header `Accept-Language`, or else `byDefault`, or else English. */
export const acceptLanguage = ({ headers }: Preferences, byDefault: Language): Language =>
  chooseLanguage(headers['accept-language'] ?? '', languages, byDefault)
