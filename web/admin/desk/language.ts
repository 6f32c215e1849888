import type { AdminModule, AdminTextKey, AdminTexts } from '../../../texts/admin-texts.ts'
import { say } from '../../../texts/say.ts'
import { deskData } from './desk-data.ts'

const files = import.meta.glob<AdminTexts>('../../../texts/admin/*.json', { import: 'default' })
const keptKey = 'proofroom-language'

/** As the files are named: `en`, `de`. */
export const languages = Object.keys(files).map((path) => path.replace(/^.*\/|\.json$/g, ''))

/** What this browser was told to speak, else what it asks for, else that of the instance. */
export const language: string =
  [localStorage.getItem(keptKey), ...navigator.languages.map((tag) => tag.split('-')[0] ?? tag)].find(
    (wanted) => wanted !== null && languages.includes(wanted),
  ) ?? deskData.language

let texts: AdminTexts

/** Before anything is drawn. */
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

/** The voice of one module: `const say = sayIn('events')`, then `say('create')`. */
export const sayIn =
  <Module extends AdminModule>(module: Module): Say<Module> =>
  (key, values) =>
    say(language, texts[module], key, values)

/** What a module says under a key that is only known by now; null where it has no such text. */
export const findText = <Module extends AdminModule>(module: Module, key: string): string | null =>
  hasText(module, key) ? sayIn(module)(key) : null

/** Whether a module has a text of a key that is only known by now. */
export const hasText = <Module extends AdminModule>(module: Module, key: string): key is AdminTextKey<Module> =>
  key in texts[module]

/** The keys of all that a module says. */
export const keysOf = (module: AdminModule): string[] => Object.keys(texts[module])
