import './tabs.css'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, type RefCallback, useCallback, useEffect, useRef } from 'react'

/** Links to the pages of one object. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="tabs scrolling-row" aria-label={label} ref={useScrollingRow()}>
    {children}
  </nav>
)

const activePart = '[aria-current="page"], [data-status="active"], [aria-pressed="true"]'
/** Must match the width of the fade in tabs.css. */
const fadePx = 40

/**
 * For a row of links or buttons with the class `scrolling-row`, which scrolls where it is too narrow. Scrolls the row,
 * but not the page, so that the active one is visible. Sets `data-cut` to the sides (`left`, `right`) where some are
 * hidden.
 */
export function useScrollingRow(): RefCallback<HTMLElement> {
  const row = useRef<HTMLElement>(null)
  const address = useRouterState({ select: ({ location }) => location.href })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the active one depends on the address
  useEffect(() => {
    if (row.current?.dataset.cut !== undefined) scrollToActive(row.current, false)
  }, [address])

  return useCallback((parts: HTMLElement) => {
    const updateCut = () => {
      parts.dataset.cut = findCutEdges(parts)
    }
    let isFirst = true
    const observer = new ResizeObserver(() => {
      scrollToActive(parts, isFirst)
      isFirst = false
      updateCut()
    })
    for (const one of [parts, ...parts.children]) observer.observe(one)
    parts.addEventListener('scroll', updateCut, { passive: true })
    row.current = parts
    return () => {
      observer.disconnect()
      parts.removeEventListener('scroll', updateCut)
      row.current = null
    }
  }, [])
}

/** `scrollIntoView` would also scroll the page. */
function scrollToActive(row: HTMLElement, isInstant: boolean): void {
  const active = row.querySelector(activePart)?.getBoundingClientRect()
  if (!active) return
  const { left, right } = row.getBoundingClientRect()
  if (active.left >= left + fadePx && active.right <= right - fadePx) return
  const toMiddle = (active.left + active.right) / 2 - (left + right) / 2
  row.scrollBy({ left: toMiddle, behavior: isInstant ? 'instant' : 'auto' })
}

function findCutEdges(row: HTMLElement): string {
  const { left, right } = row.getBoundingClientRect()
  const boxes = [...row.children].map((part) => part.getBoundingClientRect())
  const isCut = { left: boxes.some((box) => box.left < left - 1), right: boxes.some((box) => box.right > right + 1) }
  return [isCut.left && 'left', isCut.right && 'right'].filter(Boolean).join(' ')
}
