import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { gapIn, rowHeightIn, tileRatio } from '../../../contract/gallery-tiles.ts'
import { t } from '../state/page.ts'
import { ask, isLoading, loadDetails, outline, total } from '../state/photos.ts'
import { returnToPlace } from './hold-place.ts'
import { justify, type Layout, type Place, rowsBetween } from './justify.ts'
import { keepScroll, returnToScroll } from './keep-scroll.ts'
import { setSpanSource } from './reveal-tile.ts'
import { Tile } from './tile.tsx'

/** Up to this number, photos are centered and larger, and the browser lays them out. */
const fewPhotos = 3
/** Rows are rendered this many window heights before they become visible. */
const ahead = 1.5
/** Photos that are scrolled past faster than this are not requested. */
const restMs = 50

/** It first renders what the page shows without script, and takes over the layout when it knows its width. */
export function Grid() {
  const list = useRef<HTMLUListElement>(null)
  const photos = outline.value
  const width = useWidth(list)
  const layout = useMemo(() => {
    if (width === null || photos.length <= fewPhotos) return null
    return justify(photos.map(tileRatio), spaceIn(width))
  }, [photos, width])
  const { from, to } = useStretch(list, layout, photos.length)

  useEffect(() => {
    // A failed load is repeated at the next scroll.
    const timer = setTimeout(() => loadDetails(from, to).catch(() => undefined), restMs)
    return () => clearTimeout(timer)
  }, [photos, from, to])
  useLayoutEffect(keepScroll, [])
  useLayoutEffect(() => (layout ? returnToScroll() : undefined), [layout])
  useLayoutEffect(() => setSpanSource(layout && ((index) => spanIn(list, moved(layout, index)))), [layout])
  useLayoutEffect(returnToPlace, [layout])

  if (photos.length === 0) return <Nothing />
  return (
    <ul
      ref={list}
      class={`grid${layout ? ' placed' : ''}${photos.length <= fewPhotos ? ' few' : ''}`}
      id="grid"
      // biome-ignore lint/a11y/noRedundantRoles: a list without bullets is none to some screen readers
      role="list"
      aria-busy={isLoading.value}
      {...(layout && { style: { height: `${layout.height + 2 * gapIn(innerWidth)}px` } })}
    >
      {photos.slice(from, to).map((tile, index) => (
        <Tile
          key={tile.id}
          tile={tile}
          index={from + index}
          total={photos.length}
          place={layout && moved(layout, from + index)}
        />
      ))}
    </ul>
  )
}

function Nothing() {
  if (total.value === 0) return <p class="notice">{t('empty')}</p>
  return (
    <p class="notice">
      {t('nothingFound')}{' '}
      <button type="button" class="link" onClick={() => ask({})}>
        {t('showAll')}
      </button>
    </p>
  )
}

function useWidth(list: { current: HTMLElement | null }): number | null {
  const [width, setWidth] = useState<number | null>(null)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth - 2 * gapIn(innerWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [outline.value.length === 0])
  return width
}

const spaceIn = (width: number) => ({
  width,
  rowHeight: rowHeightIn(innerWidth),
  gap: gapIn(innerWidth),
  // As in gallery.css: narrow windows leave the last row short only when half of it would be empty.
  slack: innerWidth >= 640 ? 0.22 : 0.45,
})

function moved(layout: Layout, index: number) {
  const edge = gapIn(innerWidth)
  const place = layout.placeOf(index)
  return { ...place, left: place.left + edge, top: place.top + edge }
}

function spanIn(list: { current: HTMLElement | null }, { top, height }: Place) {
  const start = (list.current?.getBoundingClientRect().top ?? 0) + scrollY + top
  return { top: start, bottom: start + height }
}

function useStretch(list: { current: HTMLElement | null }, layout: Layout | null, count: number) {
  const [stretch, setStretch] = useState({ from: 0, to: count })
  useLayoutEffect(() => {
    if (!layout) return setStretch({ from: 0, to: count })
    const look = () => {
      const top = -(list.current?.getBoundingClientRect().top ?? 0)
      const { first, end } = rowsBetween(layout, top - ahead * innerHeight, top + (1 + ahead) * innerHeight)
      const from = layout.rows[first]?.from ?? 0
      const to = layout.rows[end - 1]?.to ?? from
      setStretch((now) => (now.from === from && now.to === to ? now : { from, to }))
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [layout, count])
  return layout ? { from: Math.min(stretch.from, count), to: Math.min(stretch.to, count) } : { from: 0, to: count }
}
