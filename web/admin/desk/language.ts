import type { AdminMessageKey, AdminMessages, AdminModule } from '../../../texts/admin-texts.ts'
import { t } from '../../../texts/say.ts'
import { adminAppData } from './desk-data.ts'

const files = import.meta.glob<AdminMessages>('../../../texts/admin/*.json', { import: 'default' })
const keptKey = 'proofroom-language'

/** The names of the message files, such as `en`. */
export const languages = Object.keys(files).map((path) => path.replace(/^.*\/|\.json$/g, ''))

/** The stored choice, else the first supported language of the browser, else that of the instance. */
export const language: string =
  [localStorage.getItem(keptKey), ...navigator.languages.map((tag) => tag.split('-')[0] ?? tag)].find(
    (wanted) => wanted !== null && languages.includes(wanted),
  ) ?? adminAppData.language

let messages: AdminMessages

/** Must finish before the first render. */
export async function loadMessages(): Promise<void> {
  const load = files[`../../../texts/admin/${language}.json`] ?? files['../../../texts/admin/en.json']
  if (!load) throw new Error('No texts were built')
  messages = await load()
  document.documentElement.lang = language
}

export function speak(wanted: string): void {
  localStorage.setItem(keptKey, wanted)
  location.reload()
}

export type Translate<Module extends AdminModule> = (
  key: AdminMessageKey<Module>,
  values?: Record<string, string | number>,
) => string

/** Returns the translate function of a module: `const t = translator('events')`, then `t('create')`. */
export const translator =
  <Module extends AdminModule>(module: Module): Translate<Module> =>
  (key, values) =>
    t(language, messages[module], key, values)

/** Returns the message of a key that is not known at compile time; null where there is none. */
export const findMessage = <Module extends AdminModule>(module: Module, key: string): string | null =>
  hasMessage(module, key) ? translator(module)(key) : null

export const hasMessage = <Module extends AdminModule>(module: Module, key: string): key is AdminMessageKey<Module> =>
  key in messages[module]

export const keysOf = (module: AdminModule): string[] => Object.keys(messages[module])
