/** The languages that have a folder in `locales/`, as BCP 47 tags. The first one is the language of the code and of the API. */
export const languages = ['en', 'de'] as const

export type Language = (typeof languages)[number]

/** Headers of tables: keys for programs, or names in a language. */
export const tableHeaders = ['keys', ...languages] as const

export const sourceLanguage = languages[0]

/** Returns the language with this tag, or English. */
export const toLanguage = (tag: string): Language => languages.find((code) => code === tag) ?? sourceLanguage
