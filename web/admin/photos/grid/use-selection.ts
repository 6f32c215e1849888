import { useCallback, useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../components/error-messages.ts'
import { showNotice } from '../../components/notices.tsx'
import { fetchPhotoIds } from '../model/photo-queries.ts'
import type { PhotoSearch } from '../model/photo-search.ts'
import {
  emptySelection,
  orderRange,
  removeFromSelection,
  type Selection,
  selectRange,
  selectSingle,
  toggleSelected,
} from './selection.ts'

type PhotoList = { eventId: number; search: PhotoSearch; photoAt: (index: number) => { id: number } | null }

/** The selection can include photos that are not loaded. */
export function useSelection({ eventId, search, photoAt }: PhotoList) {
  const [selection, setSelection] = useState<Selection>(emptySelection)
  const list = useRef({ eventId, search, photoAt })
  list.current = { eventId, search, photoAt }
  const latest = useRef(selection)
  latest.current = selection

  // Other filters clear the selection, so that nobody deletes photos that are not visible.
  const listKey = JSON.stringify([eventId, { ...search, sort: undefined, order: undefined }])
  const orderKey = `${search.sort} ${search.order}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the list changes
  useEffect(() => setSelection(emptySelection), [listKey])
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another order, the index belongs to another photo
  useEffect(() => setSelection(({ ids }) => ({ ids, anchor: null })), [orderKey])

  const selectOnly = useCallback((index: number) => {
    const photo = list.current.photoAt(index)
    if (photo) setSelection(selectSingle(photo.id, index))
  }, [])

  const toggle = useCallback((index: number) => {
    const photo = list.current.photoAt(index)
    if (photo) setSelection((before) => toggleSelected(before, photo.id, index))
  }, [])

  /** Selects the range from the anchor, or from `from` if there is none, to `index`. */
  const selectRangeTo = useCallback(
    async (index: number, { keepsPrevious = false, from }: { keepsPrevious?: boolean; from?: number } = {}) => {
      const anchor = latest.current.anchor ?? from ?? index
      const [start, end] = orderRange(anchor, index)
      const range = await loadIdsBetween(list.current, start, end)
      if (range) setSelection((before) => ({ ...selectRange(before, range, keepsPrevious), anchor }))
    },
    [],
  )

  const selectAll = useCallback(async () => {
    const { eventId: event, search: currentSearch } = list.current
    try {
      const ids = await fetchPhotoIds(event, currentSearch)
      setSelection(({ anchor }) => ({ ids: new Set(ids), anchor }))
    } catch (error) {
      showNotice(errorMessage(error), { isAlarm: true })
    }
  }, [])

  const removeIds = useCallback((removedIds: readonly number[]) => {
    setSelection((before) => removeFromSelection(before, removedIds))
  }, [])

  const clear = useCallback(() => setSelection(emptySelection), [])
  return { ids: selection.ids, selectOnly, toggle, selectRangeTo, selectAll, removeIds, clear }
}

/** Uses the loaded photos if they cover the range; otherwise requests the ids with the same filters. */
async function loadIdsBetween(
  { eventId, search, photoAt }: PhotoList,
  start: number,
  end: number,
): Promise<number[] | null> {
  const loaded: number[] = []
  for (let index = start; index <= end; index++) {
    const photo = photoAt(index)
    if (!photo) break
    loaded.push(photo.id)
  }
  if (loaded.length === end - start + 1) return loaded
  try {
    return (await fetchPhotoIds(eventId, search)).slice(start, end + 1)
  } catch (error) {
    showNotice(errorMessage(error), { isAlarm: true })
    return null
  }
}
