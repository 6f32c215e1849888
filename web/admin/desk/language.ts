import type { AdminModule, AdminTextKey, AdminTexts } from '../../../texts/admin-texts.ts'
import { say } from '../../../texts/say.ts'
import { deskData } from './desk-data.ts'

const files = import.meta.glob<AdminTexts>('../../../texts/admin/*.json', { import: 'default' })
const keptKey = 'proofroom-language'

/** The names of the message files, such as `en`. */
export const languages = Object.keys(files).map((path) => path.replace(/^.*\/|\.json$/g, ''))

/** The stored choice, else the first supported language of the browser, else that of the instance. */
export const language: string =
  [localStorage.getItem(keptKey), ...navigator.languages.map((tag) => tag.split('-')[0] ?? tag)].find(
    (wanted) => wanted !== null && languages.includes(wanted),
  ) ?? deskData.language

let texts: AdminTexts

/** Must finish before the first render. */
export async function loadTexts(): Promise<void> {
  const load = files[`../../../texts/admin/${language}.json`] ?? files['../../../texts/admin/en.json']
  if (!load) throw new Error('No texts were built')
  texts = await load()
  document.documentElement.lang = language
}

export function speak(wanted: string): void {
  localStorage.setItem(keptKey, wanted)
  location.reload()
}

export type Say<Module extends AdminModule> = (
  key: AdminTextKey<Module>,
  values?: Record<string, string | number>,
) => string

/** Returns the translate function of a module: `const t = translator('events')`, then `t('create')`. */
export const sayIn =
  <Module extends AdminModule>(module: Module): Say<Module> =>
  (key, values) =>
    say(language, texts[module], key, values)

/** Returns the message of a key that is not known at compile time; null where there is none. */
export const findText = <Module extends AdminModule>(module: Module, key: string): string | null =>
  hasText(module, key) ? sayIn(module)(key) : null

export const hasText = <Module extends AdminModule>(module: Module, key: string): key is AdminTextKey<Module> =>
  key in texts[module]

export const keysOf = (module: AdminModule): string[] => Object.keys(texts[module])
