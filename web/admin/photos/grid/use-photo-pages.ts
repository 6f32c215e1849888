import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { queries } from '../../app/query-client.ts'
import { type Photo, photoPageQuery, photosPerPage } from '../model/photo-queries.ts'
import type { PhotoSearch } from '../model/photo-search.ts'

/** With this delay, fast scrolling does not load every page. */
const loadDelayMs = 90

/** The photos of a list by index. Loads the pages near the viewport. */
export function usePhotoPages(eventId: number, search: PhotoSearch) {
  const [nearPages, setNearPages] = useState<readonly [number, number]>([0, 0])
  const [from, to] = useDebounced(nearPages)
  const first = useQuery({ ...photoPageQuery(eventId, search, 0), placeholderData: keepPreviousData })
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((page) => page > 0)
  const pages = useQueries({ queries: numbers.map((page) => photoPageQuery(eventId, search, page)) })

  const { data, isPlaceholderData, dataUpdatedAt } = first
  const version = `${dataUpdatedAt} ${pages.map((page) => page.dataUpdatedAt).join(' ')}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run again when a page of the cache changes
  const photoAt = useMemo(() => {
    const read = new Map<number, Photo[] | undefined>([[0, data?.photos]])
    return (index: number): Photo | null => {
      const page = Math.floor(index / photosPerPage)
      if (!read.has(page)) {
        // The cache may still have a page that was loaded earlier, and mutations update it.
        read.set(page, queries.getQueryData(photoPageQuery(eventId, search, page).queryKey)?.photos)
      }
      return read.get(page)?.[index % photosPerPage] ?? null
    }
  }, [eventId, search, data, version])

  const setVisibleRange = useCallback((start: number, end: number) => {
    const next = [Math.floor(start / photosPerPage), Math.floor(end / photosPerPage)] as const
    setNearPages((before) => (before[0] === next[0] && before[1] === next[1] ? before : next))
  }, [])

  return {
    isLoaded: data !== undefined,
    isChanging: isPlaceholderData,
    error: first.error ?? pages.find((page) => page.error)?.error ?? null,
    retry: () => Promise.all([first, ...pages].map((page) => page.error && page.refetch())),
    /** `total` counts the photos of the event, `count` those that match the filters. */
    total: data?.pagination.total ?? 0,
    count: data?.pagination.filtered ?? 0,
    photoAt,
    setVisibleRange,
  }
}

function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), loadDelayMs)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}
