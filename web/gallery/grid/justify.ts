/** Position and size of a tile in the grid, in pixels. In RTL, `left` is the distance from the right edge. */
export type Place = { left: number; top: number; width: number; height: number }

/** Contains the tiles with the indexes from `from` to `to` (exclusive). */
export type Row = { from: number; to: number; top: number; height: number }

/** `headingTops`: the top of the heading above each group. */
export type Layout = { rows: Row[]; headingTops: number[]; height: number; getPlace: (index: number) => Place }

type Space = { width: number; rowHeight: number; gap: number; slack: number }

/** `starts`: the indexes of the first tiles of groups, ascending. `headingHeight`: in pixels. */
type Groups = { starts: readonly number[]; headingHeight: number }

/**
 * Computes the same layout as the flexbox rules of web/assets/gallery.css, so that the script does not move tiles. A
 * group begins with a heading and a new row.
 */
export function justify(
  ratios: readonly number[],
  space: Space,
  { starts, headingHeight }: Groups = { starts: [], headingHeight: 0 },
): Layout {
  const { width, rowHeight, gap, slack } = space
  const rows: Row[] = []
  const headingTops: number[] = []
  let top = 0
  for (let from = 0; from < ratios.length; ) {
    if (starts[headingTops.length] === from) {
      headingTops.push(top)
      top += headingHeight + gap
    }
    const end = starts[headingTops.length] ?? ratios.length
    let to = from
    let sum = 0
    while (to < end) {
      const wider = sum + (ratios[to] ?? 0)
      if (to > from && wider * rowHeight + gap * (to - from) > width) break
      sum = wider
      to++
    }
    const free = width - sum * rowHeight - gap * (to - from - 1)
    // In the flexbox layout, `.grid::after` or the pseudo-element before a heading takes nearly all remaining space of
    // the last row if it fits into that row. Otherwise it has a separate line without height.
    const isLast = to === end
    const isShort = isLast && free - gap >= slack * width
    const height = isShort ? rowHeight : rowHeight + free / sum
    rows.push({ from, to, top, height })
    top += height + gap
    if (isLast && !isShort && to < ratios.length) top += gap
    from = to
  }
  const findRow = createRowFinder(rows)
  return {
    rows,
    headingTops,
    height: Math.max(0, top - gap),
    getPlace: (index) => {
      const row = findRow(index)
      let left = 0
      for (let before = row.from; before < index; before++) left += (ratios[before] ?? 0) * row.height + gap
      return { left, top: row.top, width: (ratios[index] ?? 0) * row.height, height: row.height }
    },
  }
}

const emptyRow: Row = { from: 0, to: 0, top: 0, height: 0 }

const createRowFinder = (rows: readonly Row[]) => (index: number) =>
  rows[findFirstRow(rows, (row) => row.to > index)] ?? emptyRow

/** Returns the rows that overlap the range in pixels: the index of the first, and the index after the last. */
export function findRowsBetween({ rows }: Layout, top: number, bottom: number): { first: number; end: number } {
  const first = findFirstRow(rows, (row) => row.top + row.height >= top)
  const end = findFirstRow(rows, (row) => row.top > bottom)
  return { first, end: Math.max(first, end) }
}

/** Returns the index of the first match, or the number of rows. All rows after a match must match too. */
function findFirstRow(rows: readonly Row[], isMatch: (row: Row) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isMatch(rows[middle] ?? emptyRow)) high = middle
    else low = middle + 1
  }
  return low
}
