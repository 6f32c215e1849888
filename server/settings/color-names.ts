import type { ColorNames } from '../../contract/color-labels.ts'
import { t } from '../../locales/translate.ts'
import type { Translator } from '../platform/text/messages.ts'

/** Returns the translator with `names` in place of the names of the colors. */
export function withColorNames<Name extends 'exports' | 'gallery' | 'receipts'>(
  translator: Translator<Name>,
  names: ColorNames,
): Translator<Name> {
  if (Object.keys(names).length === 0) return translator
  const messages = { ...translator.messages, ...names }
  return { ...translator, messages, t: (key, values) => t(translator.locale, messages, key, values) }
}
