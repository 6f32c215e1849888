import './photo-grid.css'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useEffectEvent, useRef } from 'react'
import { watchLongPress } from '../../../shared/watch-long-press.ts'
import { translator } from '../../app/language.ts'
import type { Photo } from '../model/photo-queries.ts'
import { useReview } from '../model/version-queries.ts'
import { findGridAction, type GridActions } from './grid-keys.ts'
import { PhotoTile } from './photo-tile.tsx'
import { useRows } from './use-rows.ts'

const t = translator('photos')

type Props = GridActions & {
  eventId: number
  coverId: number | null
  count: number
  cellPx: number
  photoAt: (index: number) => Photo | null
  onVisibleRange: (start: number, end: number) => void
  /** The cell in the tab order. With `wantsFocus` it receives the focus after it is rendered. */
  cursor: { index: number; wantsFocus: boolean }
}

/** Renders only the rows near the viewport. Keys and clicks work as in a file manager. */
export function PhotoGrid(props: Props) {
  const { eventId, coverId, count, cellPx, photoAt, onVisibleRange, selection, cursor, onMoveCursor } = props
  const review = useReview()
  const gridRef = useRef<HTMLDivElement>(null)
  const at = Math.min(cursor.index, Math.max(0, count - 1))
  const { virtualizer, columns, rows, rowPx, topPx } = useRows({ gridRef, count, minCellPx: cellPx, cursor: at })
  // This call updates `virtualizer.range`.
  const rowsNear = virtualizer.getVirtualItems()
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}

  useEffect(
    () => onVisibleRange(startIndex * columns, Math.min(count, (endIndex + 2) * columns) - 1),
    [startIndex, endIndex, columns, count, onVisibleRange],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the cursor moves or the columns change
  useEffect(() => {
    if (!cursor.wantsFocus) return
    virtualizer.scrollToIndex(Math.floor(at / columns), { align: 'auto' })
    gridRef.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)?.focus({ preventScroll: true })
  }, [cursor, columns])

  const onLongPress = useEffectEvent((index: number) => {
    onMoveCursor(index, false)
    selection.toggle(index)
  })
  useEffect(() => {
    if (!gridRef.current) return
    return watchLongPress(gridRef.current, { onLongPress: ({ dataset }) => onLongPress(Number(dataset.index)) })
  }, [])
  const pointerHandlers = usePointerHandlers(props, at)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Buttons in a tile handle their own keys.
    if ((event.target as Element).getAttribute('role') !== 'gridcell') return
    const visibleRows = Math.max(1, Math.floor(innerHeight / rowPx))
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const action = findGridAction(event, { at, count, columns, visibleRows, isRightToLeft }, props)
    if (!action) return
    event.preventDefault()
    action()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table would lay out all of its rows
    <div
      role="grid"
      ref={gridRef}
      className={`photo-grid${selection.ids.size > 0 ? ' selecting' : ''}`}
      aria-label={t('grid')}
      aria-rowcount={rows}
      aria-colcount={columns}
      aria-multiselectable={selection.canSelect}
      style={{ height: virtualizer.getTotalSize() }}
      {...pointerHandlers}
      onKeyDown={onKeyDown}
    >
      {rowsNear.map((row) => (
        // biome-ignore lint/a11y/useSemanticElements: a table would lay out all of its rows
        // biome-ignore lint/a11y/useFocusableInteractive: the cells take the focus
        <div
          key={row.key}
          role="row"
          className="photo-row"
          aria-rowindex={row.index + 1}
          style={{
            transform: `translateY(${row.start - topPx}px)`,
            height: rowPx,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {Array.from({ length: Math.min(columns, count - row.index * columns) }, (_, column) => {
            const index = row.index * columns + column
            const photo = photoAt(index)
            return (
              <PhotoTile
                key={index}
                eventId={eventId}
                photo={photo}
                review={photo ? review.get(photo.id) : undefined}
                index={index}
                column={column}
                isSelected={photo !== null && selection.ids.has(photo.id)}
                isCurrent={index === at}
                canReview={props.onReview !== null}
                isCover={photo !== null && photo.id === coverId}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

/** `at` is the index of the cell in the tab order. */
function usePointerHandlers(props: GridActions & Pick<Props, 'photoAt'>, at: number) {
  const { selection, onMoveCursor, onMenu, onOpen, onReview, photoAt } = props
  const wasTouched = useRef(false)
  // After a review the next tile moves under the pointer, so the second click of a double click must not act on it.
  const wasReviewed = useRef(false)
  return {
    onPointerDown: ({ pointerType }: PointerEvent) => {
      wasTouched.current = pointerType === 'touch'
    },
    onClick: ({ target, detail, shiftKey, ctrlKey, metaKey }: MouseEvent) => {
      const index = getTileIndex(target)
      if (index === null || (detail > 1 && wasReviewed.current)) return
      wasReviewed.current = false
      const act = getTileAction(target)
      if (act === 'menu') return onMenu(index, (target as Element).closest('button') as HTMLElement)
      onMoveCursor(index, true)
      const photo = photoAt(index)
      if ((act === 'visible' || act === 'hidden') && photo) {
        wasReviewed.current = true
        return onReview?.(photo, act)
      }
      if (act === 'open') return onOpen(index)
      const isControl = ctrlKey || metaKey
      if (shiftKey) return void selection.selectRangeTo(index, { keepsPrevious: isControl, from: at })
      if (act === 'check' || isControl) return selection.toggle(index)
      if (!wasTouched.current) return selection.selectOnly(index)
      if (selection.ids.size > 0) selection.toggle(index)
      else onOpen(index)
    },
    onDoubleClick: ({ target }: MouseEvent) => {
      const index = getTileIndex(target)
      if (index !== null && !wasReviewed.current && getTileAction(target) === null) onOpen(index)
    },
  }
}

const getTileIndex = (target: EventTarget): number | null => {
  const tile = (target as Element).closest<HTMLElement>('[data-photo]')
  return tile ? Number(tile.dataset.index) : null
}

const getTileAction = (target: EventTarget): string | null =>
  (target as Element).closest<HTMLElement>('[data-act]')?.dataset.act ?? null
