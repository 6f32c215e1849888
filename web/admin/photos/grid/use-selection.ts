import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { showError } from '../../components/notices.tsx'
import { fetchPhotoIds, photoIdsQuery } from '../model/photo-queries.ts'
import type { PhotoSearch } from '../model/photo-search.ts'
import {
  emptySelection,
  keepListed,
  orderRange,
  removeFromSelection,
  type Selection,
  selectRange,
  selectSingle,
  toggleSelected,
} from './selection.ts'

type PhotoList = { eventId: number; search: PhotoSearch; photoAt: (index: number) => { id: number } | null }

/** The selection can include photos that are not loaded. `canSelect`: if false, the selection stays empty. */
export function useSelection(list: PhotoList, canSelect: boolean) {
  const [chosen, setSelection] = useState<Selection>(emptySelection)
  const selection = canSelect ? chosen : emptySelection
  const { eventId, search, photoAt } = list

  // A change of filters clears the selection, so that photos outside of the list are not deleted by mistake.
  const listKey = JSON.stringify([eventId, canSelect, { ...search, sort: undefined, order: undefined }])
  const orderKey = `${search.sort} ${search.order}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the list changes
  useEffect(() => setSelection(emptySelection), [listKey])
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another order, the index belongs to another photo
  useEffect(() => setSelection(({ ids }) => ({ ids, anchor: null })), [orderKey])

  usePhotosInList(list, selection.ids.size > 0, (listed) => setSelection((before) => keepListed(before, listed)))

  return {
    canSelect,
    ids: selection.ids,
    selectOnly: (index: number) => {
      const photo = photoAt(index)
      if (photo) setSelection(selectSingle(photo.id, index))
    },
    toggle: (index: number) => {
      const photo = photoAt(index)
      if (photo) setSelection((before) => toggleSelected(before, photo.id, index))
    },
    /** Selects the range from the anchor to `index`. If the anchor is null, the range starts at `from`. */
    selectRangeTo: async (
      index: number,
      { keepsPrevious = false, from = index }: { keepsPrevious?: boolean; from?: number } = {},
    ) => {
      const anchor = selection.anchor ?? from
      const range = await loadIdsBetween(list, ...orderRange(anchor, index)).catch(showError)
      if (range) setSelection((before) => ({ ...selectRange(before, range, keepsPrevious), anchor }))
    },
    selectAll: async () => {
      const ids = await fetchPhotoIds(eventId, search).catch(showError)
      if (ids) setSelection(({ anchor }) => ({ ids: new Set(ids), anchor }))
    },
    removeIds: (removedIds: readonly number[]) => setSelection((before) => removeFromSelection(before, removedIds)),
    clear: () => setSelection(emptySelection),
  }
}

/**
 * While photos are selected, calls `onIds` with the ids of all photos of the list whenever they are loaded again: an
 * action, another window or a guest may have changed which photos match the filters.
 */
function usePhotosInList({ eventId, search }: PhotoList, isSelecting: boolean, onIds: (ids: Set<number>) => void) {
  const query = photoIdsQuery(eventId, search)
  const { data, dataUpdatedAt } = useQuery({ ...query, staleTime: 30_000, enabled: isSelecting })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the ids were loaded again
  useEffect(() => {
    if (data) onIds(new Set(data))
  }, [dataUpdatedAt])
}

/** Uses the loaded photos if they cover the range; otherwise requests the ids with the same filters. */
async function loadIdsBetween({ eventId, search, photoAt }: PhotoList, start: number, end: number): Promise<number[]> {
  const loaded: number[] = []
  for (let index = start; index <= end; index++) {
    const photo = photoAt(index)
    if (!photo) return (await fetchPhotoIds(eventId, search)).slice(start, end + 1)
    loaded.push(photo.id)
  }
  return loaded
}
