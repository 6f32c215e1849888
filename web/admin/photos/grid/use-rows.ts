import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { computeLayout } from './grid-layout.ts'
import { usePlacement } from './use-placement.ts'

/** Height of the name and marks below the picture; must match photo-tile.css. */
const getCaptionPx = () => (matchMedia('(hover: none)').matches ? 64 : 48)
const gapPx = 10
/** The bar with actions for selected photos covers the bottom of the window. */
const bulkBarPx = 96

type RowOptions = { gridRef: RefObject<HTMLElement | null>; count: number; minCellPx: number; cursor: number }

export function useRows({ gridRef, count, minCellPx, cursor }: RowOptions) {
  const { widthPx, topPx, coveredPx } = usePlacement(gridRef, { widthPx: 0, topPx: 0, coveredPx: 0 }, measureGrid)
  const { columns, cellPx, rows } = computeLayout(widthPx || 1, minCellPx, count)
  const rowPx = Math.round(cellPx * 0.86 + getCaptionPx() + gapPx)
  const cursorRow = Math.floor(cursor / columns)
  const virtualizer = useWindowVirtualizer({
    count: widthPx > 0 ? rows : 0,
    estimateSize: () => rowPx,
    overscan: 1,
    scrollMargin: topPx,
    scrollPaddingStart: coveredPx,
    scrollPaddingEnd: bulkBarPx,
    // The row of the cell in the tab order stays rendered, even far outside the viewport.
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      if (cursorRow >= rows || near.includes(cursorRow)) return near
      return cursorRow < (near[0] ?? 0) ? [cursorRow, ...near] : [...near, cursorRow]
    },
  })

  // Keeps the first visible photo in view when the cell size changes.
  const firstVisible = useRef(0)
  const before = useRef({ columns, rowPx })
  useLayoutEffect(() => {
    const hasChanged = before.current.columns !== columns || before.current.rowPx !== rowPx
    before.current = { columns, rowPx }
    if (!hasChanged) return
    virtualizer.measure()
    if (firstVisible.current > 0)
      virtualizer.scrollToIndex(Math.floor(firstVisible.current / columns), { align: 'start' })
  }, [columns, rowPx, virtualizer])
  useEffect(() => {
    const recordFirstVisible = () => {
      firstVisible.current = Math.max(0, Math.ceil((scrollY + coveredPx - topPx) / rowPx)) * columns
    }
    addEventListener('scroll', recordFirstVisible, { passive: true })
    return () => removeEventListener('scroll', recordFirstVisible)
  }, [topPx, rowPx, columns, coveredPx])

  return { virtualizer, columns, rows, rowPx, topPx }
}

const measureGrid = ({ width, top }: DOMRect) => ({
  widthPx: Math.floor(width),
  topPx: Math.round(top + scrollY),
  coveredPx: getStickyBarPx(),
})

const getStickyBarPx = (): number =>
  [...document.querySelectorAll<HTMLElement>('.top, .photos-head')]
    .filter((bar) => getComputedStyle(bar).position === 'sticky')
    .reduce((tallest, { offsetHeight }) => Math.max(tallest, offsetHeight), 0) + gapPx
