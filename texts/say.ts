/** A message with `{placeholders}`, or one message for each plural form of `{count}` (named as in CLDR). */
export type Text = string | { zero?: string; one?: string; two?: string; few?: string; many?: string; other: string }

export type Texts<Key extends string> = Record<Key, Text>

type Values = Record<string, string | number>

/** Numbers are formatted for the locale. */
export function say<Key extends string>(locale: string, texts: Texts<Key>, key: Key, values: Values = {}): string {
  return formOf(locale, texts[key], values).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? value.toLocaleString(locale) : (value ?? whole)
  })
}

function formOf(locale: string, text: Text, { count }: Values): string {
  if (typeof text === 'string') return text
  const form = new Intl.PluralRules(locale).select(Number(count))
  return (form in text && text[form as keyof typeof text]) || text.other
}
