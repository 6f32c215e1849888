/** Cell widths in pixels. Cells grow to fill the row. */
export const cellSizes = { minPx: 96, defaultPx: 176, maxPx: 420 } as const

const gapPx = 10

export type GridLayout = { columns: number; cellPx: number; rows: number }

/** Returns as many columns of at least `minCellPx` as fit; at least two if the grid is narrower than 480 pixels. */
export function computeLayout(widthPx: number, minCellPx: number, count: number): GridLayout {
  const columns = Math.max(widthPx < 480 ? 2 : 1, Math.floor((widthPx + gapPx) / (minCellPx + gapPx)))
  const cellPx = Math.max(1, (widthPx - gapPx * (columns - 1)) / columns)
  return { columns, cellPx, rows: Math.ceil(count / columns) }
}

type GridPosition = { at: number; count: number; columns: number; visibleRows: number; isRightToLeft?: boolean }

/** Returns the index to which a key moves; null for other keys and for an empty grid. */
export function findMoveTarget(key: string, isControl: boolean, position: GridPosition): number | null {
  const { at, count, columns, visibleRows, isRightToLeft = false } = position
  if (count === 0) return null
  const side = isRightToLeft ? -1 : 1
  const page = Math.max(1, visibleRows - 1) * columns
  const rowStart = at - (at % columns)
  const steps: Record<string, number> = {
    ArrowRight: at + side,
    ArrowLeft: at - side,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    PageDown: at + page,
    PageUp: at - page,
    Home: isControl ? 0 : rowStart,
    End: isControl ? count - 1 : rowStart + columns - 1,
  }
  const to = steps[key]
  if (to === undefined) return null
  // Up in the first row and Down in the last row do not move. Without a cell below, Down goes to the last photo.
  if (key === 'ArrowUp' && to < 0) return at
  if (key === 'ArrowDown' && to >= count)
    return Math.floor(at / columns) === Math.floor((count - 1) / columns) ? at : count - 1
  return Math.min(Math.max(to, 0), count - 1)
}
