import { language } from '../desk/language.ts'

const formats = {
  and: new Intl.ListFormat(language, { type: 'conjunction' }),
  or: new Intl.ListFormat(language, { type: 'disjunction' }),
}

/** Returns text such as "Ana, Ben and Cleo". */
export const formatList = (items: readonly string[], joint: 'and' | 'or' = 'and'): string =>
  formats[joint].format(items)
