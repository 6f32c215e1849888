import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { layOut } from './grid-moves.ts'

/** Height of the name and marks below the picture; must match photo-tile.css. */
const linesPx = () => (matchMedia('(hover: none)').matches ? 64 : 48)
const gapPx = 10
/** The bulk bar covers the bottom of the window. */
const coveredEndPx = 96

type RowOptions = { place: RefObject<HTMLElement | null>; count: number; wantedPx: number; reached: number }

export function useRows({ place, count, wantedPx, reached }: RowOptions) {
  const { widthPx, topPx, coveredPx } = usePlace(place)
  const { columns, cellPx, rows } = layOut(widthPx || 1, wantedPx, count)
  const rowPx = Math.round(cellPx * 0.86 + linesPx() + gapPx)
  const reachedRow = Math.floor(reached / columns)
  const virtualizer = useWindowVirtualizer({
    count: widthPx > 0 ? rows : 0,
    estimateSize: () => rowPx,
    overscan: 1,
    scrollMargin: topPx,
    scrollPaddingStart: coveredPx,
    scrollPaddingEnd: coveredEndPx,
    // The row of the cell in the tab order stays rendered, even far outside the viewport.
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      if (reachedRow >= rows || near.includes(reachedRow)) return near
      return reachedRow < (near[0] ?? 0) ? [reachedRow, ...near] : [...near, reachedRow]
    },
  })

  // Keeps the first visible photo in view when the cell size changes.
  const firstInSight = useRef(0)
  const before = useRef({ columns, rowPx })
  useLayoutEffect(() => {
    const hasChanged = before.current.columns !== columns || before.current.rowPx !== rowPx
    before.current = { columns, rowPx }
    if (!hasChanged) return
    virtualizer.measure()
    if (firstInSight.current > 0)
      virtualizer.scrollToIndex(Math.floor(firstInSight.current / columns), { align: 'start' })
  }, [columns, rowPx, virtualizer])
  useEffect(() => {
    const note = () => {
      firstInSight.current = Math.max(0, Math.ceil((scrollY + coveredPx - topPx) / rowPx)) * columns
    }
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [topPx, rowPx, columns, coveredPx])

  return { virtualizer, columns, rows, rowPx, topPx }
}

function usePlace(place: RefObject<HTMLElement | null>) {
  const [at, setAt] = useState({ widthPx: 0, topPx: 0, coveredPx: 0 })
  useLayoutEffect(() => {
    const { current: grid } = place
    if (!grid) return
    const measure = () => {
      const { width, top } = grid.getBoundingClientRect()
      const next = { widthPx: Math.floor(width), topPx: Math.round(top + scrollY), coveredPx: headPx() }
      setAt((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(grid)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [place])
  return at
}

const headPx = (): number =>
  [...document.querySelectorAll<HTMLElement>('.top, .photos-head')]
    .filter((bar) => getComputedStyle(bar).position === 'sticky')
    .reduce((most, { offsetHeight }) => Math.max(most, offsetHeight), 0) + gapPx
