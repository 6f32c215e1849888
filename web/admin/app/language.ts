import { type Language, languages } from '../../../contract/languages.ts'
import type { AdminMessageKey, AdminModule, Catalogs, Translate as TranslateKey } from '../../../locales/catalogs.ts'
import { findLanguage } from '../../../locales/choose-language.ts'
import { t } from '../../../locales/translate.ts'
import { readStored, writeStored } from '../../shared/browser-storage.ts'
import { adminAppData } from './admin-app-data.ts'

const messageFiles = import.meta.glob<Catalogs['admin']>('../../../locales/*/admin.json', { import: 'default' })
const storageKey = 'proofroom-language'

/** The stored choice, else the first supported language of the browser, else the default of the instance. */
export const language: Language =
  languages.find((tag) => tag === readStored('localStorage', storageKey)) ??
  findLanguage(navigator.languages, languages) ??
  adminAppData.language

let messages: Catalogs['admin']

/** Must finish before the first render. */
export async function loadMessages(): Promise<void> {
  const loadFile = messageFiles[`../../../locales/${language}/admin.json`]
  if (!loadFile) throw new Error('No texts were built')
  messages = await loadFile()
  document.documentElement.lang = language
}

export function changeLanguage(code: string): void {
  writeStored('localStorage', storageKey, code)
  location.reload()
}

export type Translate<Module extends AdminModule> = TranslateKey<AdminMessageKey<Module>>

/** Returns the translate function for one group of messages: `const t = translator('events')`, then `t('create')`. */
export const translator =
  <Module extends AdminModule>(module: Module): Translate<Module> =>
  (key, values) =>
    t(language, messages[module], key, values)

/** Returns the message of a key that is not known at compile time; null if there is none. */
export const findMessage = <Module extends AdminModule>(module: Module, key: string): string | null =>
  hasMessage(module, key) ? translator(module)(key) : null

export const hasMessage = <Module extends AdminModule>(module: Module, key: string): key is AdminMessageKey<Module> =>
  key in messages[module]

export const listMessageKeys = (module: AdminModule): string[] => Object.keys(messages[module])
