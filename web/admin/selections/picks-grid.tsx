import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef } from 'react'
import { translator } from '../app/language.ts'
import type { GuestNames } from '../feedback/guest-names.ts'
import type { PickedPhoto } from '../feedback/picks-query.ts'
import { usePlacement } from '../photos/grid/use-placement.ts'
import { PickTile } from './pick-tile.tsx'

const t = translator('feedback')

/** In rem, so that tiles grow with the text size. */
const minTileRem = 9.5
const gapRem = 1
const captionRem = 4.25

type Props = {
  eventId: number
  photos: readonly PickedPhoto[]
  names: GuestNames
  recentIds: ReadonlySet<number>
}

export function PicksGrid({ eventId, photos, names, recentIds }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const { width, top, rem } = usePlacement(list, { width: 0, top: 0, rem: 16 }, measureList)
  const columns = Math.max(1, Math.floor((width + gapRem * rem) / ((minTileRem + gapRem) * rem)))
  const tileWidth = (width - (columns - 1) * gapRem * rem) / columns
  const tileHeight = (tileWidth * 2) / 3 + captionRem * rem
  const rows = useWindowVirtualizer({
    count: Math.ceil(photos.length / columns),
    estimateSize: () => tileHeight + gapRem * rem,
    overscan: 3,
    scrollMargin: top,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows must be measured again when their height changes
  useLayoutEffect(() => rows.measure(), [tileHeight])
  return (
    <ul className="picks-grid" ref={list} aria-label={t('picks')} style={{ height: rows.getTotalSize() }}>
      {width > 0 &&
        rows.getVirtualItems().flatMap(({ index: row, start }) =>
          photos.slice(row * columns, (row + 1) * columns).map((photo, column) => (
            <li
              key={photo.id}
              aria-setsize={photos.length}
              aria-posinset={row * columns + column + 1}
              className={recentIds.has(photo.id) ? 'fresh' : undefined}
              style={{
                insetBlockStart: start - top,
                insetInlineStart: column * (tileWidth + gapRem * rem),
                width: tileWidth,
                height: tileHeight,
              }}
            >
              <PickTile eventId={eventId} photo={photo} names={names} />
            </li>
          )),
        )}
    </ul>
  )
}

const measureList = ({ width, top }: DOMRect) => ({
  width,
  top: top + scrollY,
  rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
})
