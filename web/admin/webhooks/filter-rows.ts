/** One line of a filter as it is typed: a path, and what may stand there. */
export type FilterRow = { path: string; values: string }

export type Filter = { [path: string]: unknown }

/** How a filter reads in fields: lists with commas, text as it is, and between quotes where it would be taken for something else. */
export const rowsOf = (filter: Filter): FilterRow[] =>
  Object.entries(filter).map(([path, wanted]) => ({
    path,
    values: (Array.isArray(wanted) ? wanted : [wanted]).map(written).join(', '),
  }))

/** The other way round; lines without a path are left out. One value stands alone, several make a list. */
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

/** Numbers, `true`, `false`, `null` and what stands between quotes are what JSON takes them for; all else is text. */
function read(piece: string): unknown {
  if (!/^(-?\d|"|true$|false$|null$)/.test(piece)) return piece
  try {
    return JSON.parse(piece)
  } catch {
    return piece
  }
}

/** At commas, except for those between quotes. */
const piecesOf = (values: string): string[] =>
  [...values.matchAll(/\s*("(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$)/gs)].map(([, piece = '']) => piece).filter(Boolean)
