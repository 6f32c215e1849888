import { useCallback, useEffect, useRef, useState } from 'react'
import { wordsOf } from '../parts/error-messages.ts'
import { tell } from '../parts/notices.tsx'
import { askIds } from './photo-queries.ts'
import type { PhotoSearch } from './photo-search.ts'
import { nothingSelected, only, rangeOf, type Selection, toggled, without, withRange } from './selection.ts'

type List = { eventId: number; search: PhotoSearch; photoAt: (index: number) => { id: number } | null }

/** What is chosen, and the ways to choose: also photos that were not loaded yet. */
export function useSelection({ eventId, search, photoAt }: List) {
  const [selection, setSelection] = useState<Selection>(nothingSelected)
  const list = useRef({ eventId, search, photoAt })
  list.current = { eventId, search, photoAt }
  const latest = useRef(selection)
  latest.current = selection

  // Another list is other photos: what is not shown is not to be deleted by mistake.
  const listKey = JSON.stringify([eventId, { ...search, sort: undefined, order: undefined }])
  const orderKey = `${search.sort} ${search.order}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key of the list is what it hangs on
  useEffect(() => setSelection(nothingSelected), [listKey])
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another order the place is another photo's
  useEffect(() => setSelection(({ ids }) => ({ ids, anchor: null })), [orderKey])

  const chooseOnly = useCallback((index: number) => {
    const photo = list.current.photoAt(index)
    if (photo) setSelection(only(photo.id, index))
  }, [])

  const toggle = useCallback((index: number) => {
    const photo = list.current.photoAt(index)
    if (photo) setSelection((before) => toggled(before, photo.id, index))
  }, [])

  /** From where it was begun, or from `from`, to there. */
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
      tell(wordsOf(error), { isAlarm: true })
    }
  }, [])

  /** What is no more. */
  const drop = useCallback((gone: readonly number[]) => {
    setSelection((before) => without(before, gone))
  }, [])

  const clear = useCallback(() => setSelection(nothingSelected), [])
  return { ids: selection.ids, chooseOnly, toggle, reachTo, chooseAll, drop, clear }
}

/** Of what is loaded, else asked for by the same filter. */
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
    tell(wordsOf(error), { isAlarm: true })
    return null
  }
}
