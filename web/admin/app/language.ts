import type { AdminMessageKey, AdminMessages, AdminModule } from '../../../locales/admin-messages.ts'
import { findLanguage } from '../../../locales/choose-language.ts'
import { t } from '../../../locales/translate.ts'
import { adminAppData } from './admin-app-data.ts'

const messageFiles = import.meta.glob<AdminMessages>('../../../locales/admin/*.json', { import: 'default' })
const storageKey = 'proofroom-language'

/** The names of the message files, such as `en`. */
export const languages = Object.keys(messageFiles).map((path) => path.replace(/^.*\/|\.json$/g, ''))

/** The stored choice, else the first supported language of the browser, else the default of the instance. */
export const language: string =
  languages.find((code) => code === localStorage.getItem(storageKey)) ??
  findLanguage(navigator.languages, languages) ??
  adminAppData.language

let messages: AdminMessages

/** Must finish before the first render. */
export async function loadMessages(): Promise<void> {
  const loadFile =
    messageFiles[`../../../locales/admin/${language}.json`] ?? messageFiles['../../../locales/admin/en.json']
  if (!loadFile) throw new Error('No texts were built')
  messages = await loadFile()
  document.documentElement.lang = language
}

export function changeLanguage(code: string): void {
  localStorage.setItem(storageKey, code)
  location.reload()
}

export type Translate<Module extends AdminModule> = (
  key: AdminMessageKey<Module>,
  values?: Record<string, string | number>,
) => string

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
