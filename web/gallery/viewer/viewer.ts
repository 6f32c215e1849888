import 'photoswipe/style.css'
import './viewer.css'
import { effect, untracked } from '@preact/signals'
import type { GalleryList, GalleryOutline } from '../../../contract/gallery/gallery.ts'
import type { TilePhoto } from '../../../contract/gallery/gallery-tiles.ts'
import { focusTile, revealTile } from '../grid/reveal-tile.ts'
import { showNotice } from '../parts/notices.tsx'
import { handlePreloadFailure } from '../parts/open-dialog.tsx'
import { call } from '../state/api.ts'
import { page, t } from '../state/page.ts'
import { isLoading, loadDetails, outline, outlineLength, setLoadedPhoto } from '../state/photos.ts'
import { closePhoto, openPhoto, shownPhoto } from '../state/shown-photo.ts'
import { awaitsAnswers } from '../threads/seen-answers.ts'
import { openViewer, type ViewerHandle } from './open-viewer.tsx'
import { viewerState } from './viewer-state.ts'

/** PhotoSwipe caches nearby slides by index. If a new list changes slides at most this far away, the viewer reopens. */
const cachedAround = 7
/** The URL and the grid are updated after this time on one photo. It must be longer than the opening animation. */
const settleMs = 400

/** How long to wait for the list before a photo is opened without it. */
const listTimeoutMs = 10_000
/** A list cannot be replaced while the viewer opens or closes. The next attempt follows after this time. */
const retryDelayMs = 100

let viewer: ViewerHandle | null = null
let photos: readonly TilePhoto[] = []
let handledId: number | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Synchronizes the viewer with the page state. It runs again after the viewer has closed. */
function syncViewer(requestedId: number | null, list: readonly TilePhoto[], isListLoading: boolean): void {
  if (viewer) {
    if (requestedId === null) viewer.close()
    else {
      if (list !== photos) replaceList(list)
      const index = findIndexById(photos, requestedId)
      if (requestedId !== handledId && index >= 0) viewer?.goTo(index)
    }
  } else if (requestedId !== null) {
    const index = findIndexById(list, requestedId)
    if (index >= 0) open(list, index)
    else {
      clearTimeout(timer)
      timer = setTimeout(() => void openUnlistedPhoto(requestedId), isListLoading ? listTimeoutMs : 0)
    }
  }
  handledId = requestedId
}

/** The list that comes with the page may have only the first photos. */
const isComplete = (list: readonly TilePhoto[]): boolean => list !== page.photos || page.filtered <= list.length

const isListIncomplete = (): boolean => isLoading.value || !isComplete(outline.value)

const findIndexById = (list: readonly TilePhoto[], id: number): number => list.findIndex((one) => one.id === id)

function open(list: readonly TilePhoto[], index: number, isAnimated = true): void {
  photos = list
  const id = list[index]?.id
  // Do not scroll if the tile is partly visible, because it must not move when the guest touches it.
  if (id !== undefined) revealTile(id, index, 'part')
  viewer = openViewer({
    photos: () => photos,
    index,
    isAnimated,
    onChange: handleChange,
    onClose: () => {
      clearTimeout(timer)
      const left = viewerState.peek()
      if (left) revealTile(left.photoId, findIndexById(outline.peek(), left.photoId))
      closePhoto()
    },
    onClosed: () => {
      const left = viewerState.peek()
      viewer = null
      viewerState.value = null
      if (left) focusTile(left.photoId)
      untracked(syncNow)
    },
  })
}

const syncNow = () => syncViewer(shownPhoto.value, outline.value, isListIncomplete())

async function openUnlistedPhoto(id: number): Promise<void> {
  const tile = await findPhoto(id).catch(() => undefined)
  if (viewer || shownPhoto.peek() !== id) return
  if (tile) return open([tile], 0)
  showNotice(t(tile === null ? 'photoMissing' : 'failed'), { isError: true })
  closePhoto()
}

/** Returns a photo outside of the current list, or null if the gallery has no such photo. */
async function findPhoto(id: number): Promise<TilePhoto | null> {
  for (let page = 1; ; page++) {
    const outline = await call<typeof GalleryOutline>(`/outline?limit=${outlineLength}&page=${page}`)
    const index = outline.photos.findIndex(([one]) => one === id)
    if (index >= 0) {
      const number = (page - 1) * outlineLength + index + 1
      const askedAt = performance.now()
      const { photos: found } = await call<typeof GalleryList>(`/photos?limit=1&page=${number}`)
      const [photo] = found
      if (photo?.id !== id) return null
      setLoadedPhoto(photo, askedAt)
      return photo
    }
    if (page >= outline.pagination.pages) return null
  }
}

function handleChange(index: number): void {
  const tile = photos[index]
  if (!tile) return
  viewerState.value = { photoId: tile.id, index, total: isComplete(photos) ? photos.length : page.filtered }
  loadNearbyDetails()
  clearTimeout(timer)
  timer = setTimeout(() => {
    handledId = tile.id
    if (shownPhoto.peek() !== null && shownPhoto.peek() !== tile.id) openPhoto(tile.id)
    revealTile(tile.id, findIndexById(outline.peek(), tile.id))
  }, settleMs)
}

/** A failed load is retried at the next photo or when the browser goes online. */
function loadNearbyDetails(): void {
  const index = viewerState.peek()?.index
  if (index === undefined || photos !== outline.peek()) return
  loadDetails(Math.max(0, index - 5), index + 20).catch(() => undefined)
}

addEventListener('online', loadNearbyDetails)

/** Replaces the list. If the new list does not contain the current photo, the old list stays. */
function replaceList(list: readonly TilePhoto[]): void {
  const now = viewerState.peek()
  if (!viewer || !now) return
  const index = findIndexById(list, now.photoId)
  if (index < 0) return
  const isCacheValid = Array.from({ length: 2 * cachedAround + 1 }, (_, step) => now.index - cachedAround + step).every(
    (place) => photos[place]?.id === list[place]?.id || (place >= photos.length && photos.length > now.index + 2),
  )
  if (index === now.index && isCacheValid) {
    photos = list
    handleChange(index)
  } else if (viewer.isOpen()) {
    viewer.replace(() => {
      viewer = null
      if (shownPhoto.peek() !== null) open(list, index, false)
    })
  } else setTimeout(syncNow, retryDelayMs)
}

// This effect runs immediately, so all variables above must be initialized before it.
effect(() => {
  const requestedId = shownPhoto.value
  const list = outline.value
  const isListLoading = isListIncomplete()
  untracked(() => syncViewer(requestedId, list, isListLoading))
})

// Here and not at the start of the page, because the grid does not wait for it.
effect(() => {
  if (awaitsAnswers.value) import('./new-answers.tsx').catch(handlePreloadFailure)
})
