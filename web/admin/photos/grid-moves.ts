/** How wide a cell can be asked for, in pixels; the row shares out what is left. */
export const cellSizes = { least: 96, usual: 176, most: 420 } as const

const gapPx = 10

export type GridLayout = { columns: number; cellPx: number; rows: number }

/** As many cells of at least that width as fit, all the same; a phone has two at least. */
export function layOut(widthPx: number, wantedPx: number, count: number): GridLayout {
  const columns = Math.max(widthPx < 480 ? 2 : 1, Math.floor((widthPx + gapPx) / (wantedPx + gapPx)))
  const cellPx = Math.max(1, (widthPx - gapPx * (columns - 1)) / columns)
  return { columns, cellPx, rows: Math.ceil(count / columns) }
}

type Place = { at: number; count: number; columns: number; rowsInSight: number; isRightToLeft?: boolean }

/** Where a key leads from a photo, as in any grid; null for keys that move nothing. */
export function movedBy(key: string, isControl: boolean, place: Place): number | null {
  const { at, count, columns, rowsInSight, isRightToLeft = false } = place
  if (count === 0) return null
  const side = isRightToLeft ? -1 : 1
  const page = Math.max(1, rowsInSight - 1) * columns
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
  // Above the first row and below the last there is nothing: the column stays.
  if (key === 'ArrowUp' && to < 0) return at
  if (key === 'ArrowDown' && to >= count)
    return Math.floor(at / columns) === Math.floor((count - 1) / columns) ? at : count - 1
  return Math.min(Math.max(to, 0), count - 1)
}
