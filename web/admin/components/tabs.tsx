import './tabs.css'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

/** Links to the pages of one object. The row scrolls where it is too narrow. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="tabs" aria-label={label} ref={useActiveInView()}>
    {children}
  </nav>
)

const activeLink = '[aria-current="page"], [data-status="active"]'
/** Must match the width of the fade in tabs.css. */
const fadePx = 40

/**
 * Scrolls the row, but not the page, so that the active link is visible. Sets `data-cut` to the sides (`left`, `right`)
 * where links are hidden.
 */
function useActiveInView() {
  const row = useRef<HTMLElement>(null)
  const address = useRouterState({ select: ({ location }) => location.href })

  useEffect(() => {
    const { current: links } = row
    if (!links) return
    const updateCut = () => {
      links.dataset.cut = findCutEdges(links)
    }
    let isFirst = true
    const observer = new ResizeObserver(() => {
      scrollToActive(links, isFirst)
      isFirst = false
      updateCut()
    })
    for (const one of [links, ...links.children]) observer.observe(one)
    links.addEventListener('scroll', updateCut, { passive: true })
    return () => {
      observer.disconnect()
      links.removeEventListener('scroll', updateCut)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the active link depends on the address
  useEffect(() => {
    if (row.current?.dataset.cut !== undefined) scrollToActive(row.current, false)
  }, [address])

  return row
}

/** `scrollIntoView` would also scroll the page. */
function scrollToActive(row: HTMLElement, isInstant: boolean): void {
  const active = row.querySelector(activeLink)?.getBoundingClientRect()
  if (!active) return
  const { left, right } = row.getBoundingClientRect()
  if (active.left >= left + fadePx && active.right <= right - fadePx) return
  const toMiddle = (active.left + active.right) / 2 - (left + right) / 2
  row.scrollBy({ left: toMiddle, behavior: isInstant ? 'instant' : 'auto' })
}

function findCutEdges(row: HTMLElement): string {
  const { left, right } = row.getBoundingClientRect()
  const boxes = [...row.children].map((link) => link.getBoundingClientRect())
  const isCut = { left: boxes.some((box) => box.left < left - 1), right: boxes.some((box) => box.right > right + 1) }
  return [isCut.left && 'left', isCut.right && 'right'].filter(Boolean).join(' ')
}
