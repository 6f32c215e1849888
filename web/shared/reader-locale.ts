/** Returns the page language with the reader's region: 20/06/2026 for en-GB, 6/20/2026 for en-US. */
export function readerLocale(pageLocale: string, wanted: readonly string[]): string {
  const language = (locale: string) => locale.split('-', 1)[0]
  return wanted.find((locale) => isKnown(locale) && language(locale) === language(pageLocale)) ?? pageLocale
}

/** Some browsers list values that are not language tags, such as `en-US@posix`. */
function isKnown(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}
