import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../../app/query-client.ts'
import { showError } from '../../components/notices.tsx'
import type { MarkChange } from '../marks/mark-keys.ts'
import { type Photo, photoIdsQuery } from '../model/photo-queries.ts'
import { formatPhotoSearch, type PhotoSearch } from '../model/photo-search.ts'
import { previewUrl } from '../model/photo-urls.ts'
import { PhotoViewer } from './photo-viewer.tsx'

type Props = {
  eventId: number
  photoId: number
  search: PhotoSearch
  count: number
  photoAt: (index: number) => Photo | null
  isListLoaded: boolean
  cursorIndex: number
  canMark: boolean
  onMoveCursor: (index: number, wantsFocus: boolean) => void
  onMark: (id: number, change: MarkChange) => void
  onReview: ((photo: Photo, visibility: Photo['visibility']) => void) | null
  onMenu: (photo: Photo, index: number | null, trigger: HTMLElement) => void
}

export function ViewerRoute({ eventId, photoId, search, count, photoAt, cursorIndex, onMoveCursor, ...props }: Props) {
  const navigate = useNavigate({ from: '/events/$eventId/' })
  const router = useRouter()
  const isAtCursor = photoAt(cursorIndex)?.id === photoId
  const [found, setFound] = useState<{ id: number; index: number } | null>(null)
  const index = isAtCursor ? cursorIndex : found?.id === photoId ? found.index : null
  const listedPhoto = index === null ? null : photoAt(index)

  const fetchAllIds = () => queries.fetchQuery({ ...photoIdsQuery(eventId, search), staleTime: 30_000 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each photo that was not opened from the grid
  useEffect(() => {
    if (index !== null || !props.isListLoaded) return
    let isCurrent = true
    fetchAllIds().then(
      (ids) => {
        const at = ids.indexOf(photoId)
        if (!isCurrent || at < 0) return
        setFound({ id: photoId, index: at })
        onMoveCursor(at, false)
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [photoId, index === null, props.isListLoaded])

  const latest = useRef(0)
  const move = async (to: number) => {
    const requestNumber = ++latest.current
    try {
      const id = photoAt(to)?.id ?? (await fetchAllIds())[to]
      if (id === undefined || requestNumber !== latest.current) return
      setFound({ id, index: to })
      onMoveCursor(to, false)
      const state = (before: object) => before
      await navigate({ search: { ...formatPhotoSearch(search), photo: id }, replace: true, resetScroll: false, state })
    } catch (error) {
      showError(error)
    }
  }

  // Preloads the previous and the next photo.
  useEffect(() => {
    if (index === null) return
    for (const neighbor of [photoAt(index + 1), photoAt(index - 1)]) {
      if (neighbor?.media_type === 'image') new Image().src = previewUrl(eventId, neighbor)
    }
  }, [eventId, index, photoAt])

  const lastIndex = useRef(index)
  if (index !== null) lastIndex.current = index
  // When the viewer closes for any reason, the last viewed photo gets the focus in the grid.
  useEffect(
    () => () => {
      if (lastIndex.current !== null) onMoveCursor(lastIndex.current, true)
    },
    [onMoveCursor],
  )
  const close = () => {
    const { state } = router.state.location
    // If the grid opened the viewer, the grid added one history entry.
    if ('hasOpened' in state && state.hasOpened) router.history.back()
    else void navigate({ search: formatPhotoSearch(search), replace: true, resetScroll: false })
  }

  return (
    <PhotoViewer
      eventId={eventId}
      photoId={photoId}
      index={index}
      count={count}
      listedPhoto={listedPhoto?.id === photoId ? listedPhoto : null}
      canMark={props.canMark}
      onMove={move}
      onMark={props.onMark}
      onReview={props.onReview}
      onMenu={(photo, trigger) => props.onMenu(photo, index, trigger)}
      onClose={close}
    />
  )
}
