/** Returns the reader's first locale in the language of the page, such as en-GB, or else `pageLocale`. */
export function getReaderLocale(pageLocale: string, languages: readonly string[]): string {
  const language = (locale: string) => locale.split('-', 1)[0]
  return languages.find((locale) => isLocaleTag(locale) && language(locale) === language(pageLocale)) ?? pageLocale
}

/** Some browsers list values that are not language tags, such as `en-US@posix`. */
function isLocaleTag(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}
