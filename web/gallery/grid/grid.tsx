import { Fragment } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { gapPx, rowHeightPx, smallTileScale, tileRatio } from '../../../contract/gallery/gallery-tiles.ts'
import { navigateToQuery } from '../filters/navigate-to-query.ts'
import { restoreScroll, watchScrollPosition } from '../filters/scroll-position.ts'
import { useMeasured } from '../parts/use-measured.ts'
import { pickFilter, pickKind, t } from '../state/page.ts'
import { asked, counts, groupStarts, isLoading, loadDetails, outline, total } from '../state/photos.ts'
import { GroupHeading, headingHeightPx } from './group-heading.tsx'
import { findRowsBetween, justify, type Layout, type Place } from './justify.ts'
import { restorePlace, setSpanSource } from './reveal-tile.ts'
import { Tile } from './tile.tsx'
import { hasSmallTiles } from './tile-size.ts'

/** Up to this number of photos, CSS lays out the tiles: centered and larger. */
const maxCenteredPhotos = 3
/** Rows are rendered up to this many window heights above and below the window. */
const overscanWindows = 1.5
/** Details of photos that are scrolled past faster than this are not requested. */
const loadDelayMs = 50

/** The first render matches the markup of the server. When the width is known, the script computes the layout. */
export function Grid() {
  const list = useRef<HTMLUListElement>(null)
  const photos = outline.value
  const starts = groupStarts.value
  const isSmall = hasSmallTiles.value
  const width = useMeasured(list, ({ clientWidth }) => clientWidth - 2 * gapPx(innerWidth), [photos.length === 0])
  const layout = useMemo(() => {
    if (width === null || photos.length <= maxCenteredPhotos) return null
    const groups = { starts: starts.map(({ index }) => index), headingHeight: headingHeightPx() }
    return justify(photos.map(tileRatio), getLayoutSpace(width, isSmall), groups)
  }, [photos, starts, width, isSmall])
  const { from, to } = useRenderedRange(list, layout, photos.length)

  useEffect(() => {
    // A failed load is retried when other rows are rendered.
    const timer = setTimeout(() => loadDetails(from, to).catch(() => undefined), loadDelayMs)
    return () => clearTimeout(timer)
  }, [photos, from, to])
  useLayoutEffect(watchScrollPosition, [])
  useLayoutEffect(() => (layout ? restoreScroll() : undefined), [layout])
  useLayoutEffect(() => setSpanSource(layout && ((index) => computeSpan(list, offsetPlace(layout, index)))), [layout])
  useLayoutEffect(restorePlace, [layout])

  if (photos.length === 0) return <EmptyGrid />
  return (
    <ul
      ref={list}
      class={`grid${layout ? ' placed' : ''}${photos.length <= maxCenteredPhotos ? ' few' : ''}`}
      id="grid"
      // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore that a list without bullets is a list
      role="list"
      aria-busy={isLoading.value}
      {...(layout && { style: { height: `${layout.height + 2 * gapPx(innerWidth)}px` } })}
    >
      {photos.slice(from, to).map((tile, index) => {
        const number = starts.findIndex((start) => start.index === from + index)
        const group = starts[number]
        const top = layout?.headingTops[number]
        return (
          <Fragment key={tile.id}>
            {group && (
              <GroupHeading
                group={group}
                top={top === undefined ? null : top + gapPx(innerWidth)}
                height={headingHeightPx()}
              />
            )}
            <Tile
              tile={tile}
              index={from + index}
              total={photos.length}
              place={layout && offsetPlace(layout, from + index)}
            />
          </Fragment>
        )
      })}
    </ul>
  )
}

function EmptyGrid() {
  if (total.value === 0) return <p class="notice">{t('empty')}</p>
  const isPickless = pickKind && asked.value.filter === pickFilter && !counts.value[pickFilter]
  return (
    <p class="notice">
      {t(isPickless ? 'submitNothing' : 'nothingFound')}{' '}
      <button type="button" class="link" onClick={() => navigateToQuery({})}>
        {t('showAll')}
      </button>
    </p>
  )
}

const getLayoutSpace = (width: number, isSmall: boolean) => ({
  width,
  rowHeight: rowHeightPx(innerWidth) * (isSmall ? smallTileScale : 1),
  gap: gapPx(innerWidth),
  // `--slack` in web/assets/gallery.css has the same values.
  slack: innerWidth >= 640 ? 0.22 : 0.45,
})

function offsetPlace(layout: Layout, index: number) {
  const edge = gapPx(innerWidth)
  const place = layout.getPlace(index)
  return { ...place, left: place.left + edge, top: place.top + edge }
}

function computeSpan(list: { current: HTMLElement | null }, { top, height }: Place) {
  const start = (list.current?.getBoundingClientRect().top ?? 0) + scrollY + top
  return { top: start, bottom: start + height }
}

function useRenderedRange(list: { current: HTMLElement | null }, layout: Layout | null, count: number) {
  const [range, setRange] = useState({ from: 0, to: count })
  useLayoutEffect(() => {
    if (!layout) return setRange({ from: 0, to: count })
    const update = () => {
      const top = -(list.current?.getBoundingClientRect().top ?? 0)
      const { first, end } = findRowsBetween(
        layout,
        top - overscanWindows * innerHeight,
        top + (1 + overscanWindows) * innerHeight,
      )
      const from = layout.rows[first]?.from ?? 0
      const to = layout.rows[end - 1]?.to ?? from
      setRange((now) => (now.from === from && now.to === to ? now : { from, to }))
    }
    update()
    const listening = new AbortController()
    addEventListener('scroll', update, { passive: true, signal: listening.signal })
    addEventListener('resize', update, { signal: listening.signal })
    return () => listening.abort()
  }, [layout, count])
  return layout ? { from: Math.min(range.from, count), to: Math.min(range.to, count) } : { from: 0, to: count }
}
