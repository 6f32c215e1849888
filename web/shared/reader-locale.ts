/** The language of the page as the reader's own region writes it: 20/06/2026 or 6/20/2026, where both are English. */
export function readerLocale(pageLocale: string, wanted: readonly string[]): string {
  const language = (locale: string) => locale.split('-', 1)[0]
  return wanted.find((locale) => isKnown(locale) && language(locale) === language(pageLocale)) ?? pageLocale
}

/** Browsers also name what is no language tag, such as `en-US@posix`. */
function isKnown(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}
