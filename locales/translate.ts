/** A message with `{placeholders}`, or one message for each plural form of `{count}` (named as in CLDR). */
export type Message = string | { zero?: string; one?: string; two?: string; few?: string; many?: string; other: string }

export type Messages<Key extends string> = Record<Key, Message>

type Values = Record<string, string | number>

/** Replaces the placeholders of a message. Numbers are formatted for the locale. */
export function t<Key extends string>(locale: string, messages: Messages<Key>, key: Key, values: Values = {}): string {
  return fillPlaceholders(locale, selectPluralForm(locale, messages[key], values), values)
}

export const fillPlaceholders = (locale: string, text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? value.toLocaleString(locale) : (value ?? whole)
  })

function selectPluralForm(locale: string, text: Message, { count }: Values): string {
  if (typeof text === 'string') return text
  const form = new Intl.PluralRules(locale).select(Number(count))
  return (form in text && text[form as keyof typeof text]) || text.other
}
