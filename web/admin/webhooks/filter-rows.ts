export type FilterRow = { path: string; values: string }

export type Filter = { [path: string]: unknown }

/** Formats a filter for the form: lists with commas, and text in quotes if `parseFilter` would otherwise change it. */
export const toFilterRows = (filter: Filter): FilterRow[] =>
  Object.entries(filter).map(([path, accepted]) => ({
    path,
    values: (Array.isArray(accepted) ? accepted : [accepted]).map(formatValue).join(', '),
  }))

/** Parses rows into a filter. Omits empty rows; one value stays single, none or several become a list. */
export function parseFilter(rows: readonly FilterRow[]): Filter {
  const entries = rows
    .filter(({ path, values }) => path.trim() !== '' || values.trim() !== '')
    .map(({ path, values }): [string, unknown] => {
      const accepted = splitValues(values).map(parseValue)
      return [path.trim(), accepted.length === 1 ? accepted[0] : accepted]
    })
  return Object.fromEntries(entries)
}

const formatValue = (value: unknown): string =>
  typeof value === 'string' && isPlainText(value) ? value : JSON.stringify(value)

const isPlainText = (text: string): boolean =>
  text !== '' && text === text.trim() && !/[",\\\n]/.test(text) && parseValue(text) === text

/** Parses numbers, `true`, `false`, `null` and quoted text as JSON; anything else is text. */
function parseValue(piece: string): unknown {
  if (!/^(-?\d|"|true$|false$|null$)/.test(piece)) return piece
  try {
    return JSON.parse(piece)
  } catch {
    return piece
  }
}

const splitValues = (values: string): string[] =>
  [...values.matchAll(/\s*("(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$)/gs)].map(([, piece = '']) => piece).filter(Boolean)
