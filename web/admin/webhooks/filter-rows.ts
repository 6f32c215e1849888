/** One row of a filter as typed: a path and its accepted values. */
export type FilterRow = { path: string; values: string }

export type Filter = { [path: string]: unknown }

/** Formats a filter for the form: lists with commas, and quotes around text that would parse as another type. */
export const rowsOf = (filter: Filter): FilterRow[] =>
  Object.entries(filter).map(([path, wanted]) => ({
    path,
    values: (Array.isArray(wanted) ? wanted : [wanted]).map(written).join(', '),
  }))

/** Parses rows into a filter. Omits empty rows; one value stays single, several become a list. */
export function filterOf(rows: readonly FilterRow[]): Filter {
  const entries = rows
    .filter(({ path, values }) => path.trim() !== '' || values.trim() !== '')
    .map(({ path, values }): [string, unknown] => {
      const wanted = piecesOf(values).map(read)
      return [path.trim(), wanted.length === 1 ? wanted[0] : wanted]
    })
  return Object.fromEntries(entries)
}

const written = (value: unknown): string =>
  typeof value === 'string' && isPlainText(value) ? value : JSON.stringify(value)

const isPlainText = (text: string): boolean =>
  text !== '' && text === text.trim() && !/[",\\\n]/.test(text) && read(text) === text

/** Parses numbers, `true`, `false`, `null` and quoted text as JSON; anything else is text. */
function read(piece: string): unknown {
  if (!/^(-?\d|"|true$|false$|null$)/.test(piece)) return piece
  try {
    return JSON.parse(piece)
  } catch {
    return piece
  }
}

/** Splits at commas outside quotes. */
const piecesOf = (values: string): string[] =>
  [...values.matchAll(/\s*("(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$)/gs)].map(([, piece = '']) => piece).filter(Boolean)
