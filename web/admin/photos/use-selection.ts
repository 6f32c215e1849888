import { useCallback, useEffect, useRef, useState } from 'react'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { askIds } from './photo-queries.ts'
import type { PhotoSearch } from './photo-search.ts'
import { nothingSelected, only, rangeOf, type Selection, toggled, without, withRange } from './selection.ts'

type List = { eventId: number; search: PhotoSearch; photoAt: (index: number) => { id: number } | null }

/** The selection can include photos that are not loaded. */
export function useSelection({ eventId, search, photoAt }: List) {
  const [selection, setSelection] = useState<Selection>(nothingSelected)
  const list = useRef({ eventId, search, photoAt })
  list.current = { eventId, search, photoAt }
  const latest = useRef(selection)
  latest.current = selection

  // Other filters clear the selection, so that nobody deletes photos that are not visible.
  const listKey = JSON.stringify([eventId, { ...search, sort: undefined, order: undefined }])
  const orderKey = `${search.sort} ${search.order}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the list changes
  useEffect(() => setSelection(nothingSelected), [listKey])
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another order, the index belongs to another photo
  useEffect(() => setSelection(({ ids }) => ({ ids, anchor: null })), [orderKey])

  const chooseOnly = useCallback((index: number) => {
    const photo = list.current.photoAt(index)
    if (photo) setSelection(only(photo.id, index))
  }, [])

  const toggle = useCallback((index: number) => {
    const photo = list.current.photoAt(index)
    if (photo) setSelection((before) => toggled(before, photo.id, index))
  }, [])

  /** Selects the range from the anchor, or from `from` if there is none, to `index`. */
  const reachTo = useCallback(
    async (index: number, { isKept = false, from }: { isKept?: boolean; from?: number } = {}) => {
      const anchor = latest.current.anchor ?? from ?? index
      const [start, end] = rangeOf(anchor, index)
      const range = await idsBetween(list.current, start, end)
      if (range) setSelection((before) => ({ ...withRange(before, range, isKept), anchor }))
    },
    [],
  )

  const chooseAll = useCallback(async () => {
    const { eventId: event, search: asked } = list.current
    try {
      const ids = await askIds(event, asked)
      setSelection(({ anchor }) => ({ ids: new Set(ids), anchor }))
    } catch (error) {
      showNotice(errorMessage(error), { isAlarm: true })
    }
  }, [])

  const drop = useCallback((gone: readonly number[]) => {
    setSelection((before) => without(before, gone))
  }, [])

  const clear = useCallback(() => setSelection(nothingSelected), [])
  return { ids: selection.ids, chooseOnly, toggle, reachTo, chooseAll, drop, clear }
}

/** Uses the loaded photos if they cover the range; otherwise requests the ids with the same filters. */
async function idsBetween({ eventId, search, photoAt }: List, start: number, end: number): Promise<number[] | null> {
  const loaded: number[] = []
  for (let index = start; index <= end; index++) {
    const photo = photoAt(index)
    if (!photo) break
    loaded.push(photo.id)
  }
  if (loaded.length === end - start + 1) return loaded
  try {
    return (await askIds(eventId, search)).slice(start, end + 1)
  } catch (error) {
    showNotice(errorMessage(error), { isAlarm: true })
    return null
  }
}
