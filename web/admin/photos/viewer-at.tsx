import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../desk/queries.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import type { MarkChange } from './mark-keys.ts'
import { type Photo, photoIdsQuery } from './photo-queries.ts'
import { addressOf, type PhotoSearch } from './photo-search.ts'
import { PhotoViewer } from './photo-viewer.tsx'
import { fittedOf } from './picture-address.ts'

type Props = {
  eventId: number
  photoId: number
  search: PhotoSearch
  count: number
  photoAt: (index: number) => Photo | null
  isListLoaded: boolean
  reachedIndex: number
  mayMark: boolean
  onReach: (index: number, wantsFocus: boolean) => void
  onMark: (id: number, change: MarkChange) => void
  onMenu: (photo: Photo, index: number | null, opener: HTMLElement) => void
}

export function ViewerAt({ eventId, photoId, search, count, photoAt, reachedIndex, onReach, ...props }: Props) {
  const navigate = useNavigate({ from: '/events/$eventId/' })
  const router = useRouter()
  const isHere = photoAt(reachedIndex)?.id === photoId
  const [found, setFound] = useState<{ id: number; index: number } | null>(null)
  const index = isHere ? reachedIndex : found?.id === photoId ? found.index : null

  const askAll = () => queries.fetchQuery({ ...photoIdsQuery(eventId, search), staleTime: 30_000 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each photo that was not opened from the grid
  useEffect(() => {
    if (index !== null || !props.isListLoaded) return
    let isMeant = true
    askAll().then(
      (ids) => {
        const at = ids.indexOf(photoId)
        if (!isMeant || at < 0) return
        setFound({ id: photoId, index: at })
        onReach(at, false)
      },
      () => undefined,
    )
    return () => {
      isMeant = false
    }
  }, [photoId, index === null, props.isListLoaded])

  const latest = useRef(0)
  const move = async (to: number) => {
    const turn = ++latest.current
    try {
      const id = photoAt(to)?.id ?? (await askAll())[to]
      if (id === undefined || turn !== latest.current) return
      setFound({ id, index: to })
      onReach(to, false)
      const state = (before: object) => before
      await navigate({ search: { ...addressOf(search), photo: id }, replace: true, resetScroll: false, state })
    } catch (error) {
      showNotice(errorMessage(error), { isAlarm: true })
    }
  }

  // Preloads the previous and the next photo.
  useEffect(() => {
    if (index === null) return
    for (const beside of [photoAt(index + 1), photoAt(index - 1)]) {
      if (beside?.media_type === 'image') new Image().src = fittedOf(eventId, beside)
    }
  }, [eventId, index, photoAt])

  const place = useRef(index)
  if (index !== null) place.current = index
  // Focuses the last viewed photo in the grid, also after the Back button of the browser.
  useEffect(
    () => () => {
      if (place.current !== null) onReach(place.current, true)
    },
    [onReach],
  )
  const close = () => {
    const { state } = router.state.location
    // If the grid opened the viewer, it added one history entry.
    if ('hasOpened' in state && state.hasOpened) router.history.back()
    else void navigate({ search: addressOf(search), replace: true, resetScroll: false })
  }

  return (
    <PhotoViewer
      eventId={eventId}
      photoId={photoId}
      index={index}
      count={count}
      listed={index === null ? null : matching(photoAt(index), photoId)}
      mayMark={props.mayMark}
      onMove={move}
      onMark={props.onMark}
      onMenu={(photo, opener) => props.onMenu(photo, index, opener)}
      onClose={close}
    />
  )
}

const matching = (photo: Photo | null, id: number): Photo | null => (photo?.id === id ? photo : null)
