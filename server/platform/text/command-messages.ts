import { type Language, languages, sourceLanguage } from '../../../contract/languages.ts'
import type { TranslateCatalog } from '../../../locales/catalogs.ts'
import { chooseLanguage } from '../../../locales/choose-language.ts'
import { getTranslator } from './messages.ts'

/** Returns the language of the first set variable of LC_ALL, LC_MESSAGES and LANG, such as `pt_BR.UTF-8`, or else English. */
export function findTerminalLanguage({ LC_ALL, LC_MESSAGES, LANG }: Record<string, string | undefined>): Language {
  const [locale = ''] = (LC_ALL || LC_MESSAGES || LANG || '').split(/[.@]/)
  return chooseLanguage(locale.replaceAll('_', '-'), languages, sourceLanguage)
}

/** A process has one language: that of its terminal. Before it is known, texts are English. */
let language: Language = sourceLanguage

export const getCommandLanguage = (): Language => language
export const setCommandLanguage = (chosen: Language): void => {
  language = chosen
}

/** Returns a text of the command line. Its numbers have no separators, because many are ports, ids or bytes. */
export const t: TranslateCatalog<'commands'> = (key, values = {}) =>
  getTranslator('commands', language).t(
    key,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  )
