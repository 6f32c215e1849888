import { useEffect, useEffectEvent, useRef } from 'react'
import { translator } from '../../app/language.ts'
import { showError } from '../../components/notices.tsx'
import { getSortDirection, type PhotoSearch } from '../model/photo-search.ts'
import { movePhotos } from './move-photos.ts'

const t = translator('photos')

type Options = {
  list: Parameters<typeof movePhotos>[0]
  canEdit: boolean
  listTargetIds: (index: number) => number[]
  onMoved: (index: number, announcement: string) => void
}

/** Photos that wait for a review have no place yet that guests see. */
const isOrderedByHand = (search: PhotoSearch): boolean =>
  search.sort === 'manual' && getSortDirection(search) === 'asc' && search.review === undefined

/**
 * Returns a function that moves the photo at an index, with the selection that it is part of, before another index.
 * Null while the list has another order or is that of the review, or if the account may not change photos. Loads the dragging by pointer.
 */
export function useManualOrder({ list, canEdit, listTargetIds, onMoved }: Options) {
  const isActive = canEdit && isOrderedByHand(list.search)
  const isMoving = useRef(false)

  const move = async (from: number, insertAt: number) => {
    // The indexes are those of the list before the move that is not finished.
    if (isMoving.current) return
    isMoving.current = true
    try {
      const index = await movePhotos(list, { ids: listTargetIds(from), from, insertAt })
      if (index !== null) onMoved(index, t('movedTo', { place: index + 1, count: list.count }))
    } catch (error) {
      showError(error)
    } finally {
      isMoving.current = false
    }
  }
  const countAt = useEffectEvent((index: number) => listTargetIds(index).length)
  const onDrop = useEffectEvent((from: number, insertAt: number) => void move(from, insertAt))

  useEffect(() => {
    if (!isActive) return
    const controller = new AbortController()
    const formatCount = (count: number) => t('dragged', { count })
    import('./drag-photos.ts').then(({ watchDrag }) => {
      if (controller.signal.aborted) return
      const stop = watchDrag({ countAt: (index) => countAt(index), formatCount, onDrop: (a, b) => onDrop(a, b) })
      controller.signal.addEventListener('abort', stop)
    }, showError)
    return () => controller.abort()
  }, [isActive])

  return isActive ? move : null
}
