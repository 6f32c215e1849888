import { language } from '../app/language.ts'

const formats = {
  and: new Intl.ListFormat(language, { type: 'conjunction' }),
  or: new Intl.ListFormat(language, { type: 'disjunction' }),
}

/** Returns text such as "Ana, Ben, and Cleo". */
export const formatList = (items: readonly string[], conjunction: 'and' | 'or' = 'and'): string =>
  formats[conjunction].format(items)
