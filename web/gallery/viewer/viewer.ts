import 'photoswipe/style.css'
import './viewer.css'
import { effect, untracked } from '@preact/signals'
import type { TilePhoto } from '../../../contract/gallery-tiles.ts'
import { focusTile, revealTile } from '../grid/reveal-tile.ts'
import { showNotice } from '../parts/notices.tsx'
import { page, t } from '../state/page.ts'
import { isLoading, loadDetails, outline } from '../state/photos.ts'
import { closePhoto, openPhoto, shownPhoto } from '../state/shown-photo.ts'
import { findPhoto } from './find-photo.ts'
import { type OpenViewer, openViewer } from './open-viewer.tsx'
import { viewing } from './viewing.ts'

/**
 * PhotoSwipe caches this many slides around the current one by index. Only a list that keeps them is extended in place.
 */
const keptAround = 7
/** The URL and the grid follow after this time on one photo. It must be longer than the opening animation. */
const settleMs = 400

/** How long to wait for the list before a photo is opened without it. */
const comingMs = 10_000
/** A list cannot be replaced while the viewer opens; it is retried after this time. */
const openingMs = 100

let viewer: OpenViewer | null = null
let photos: readonly TilePhoto[] = []
/** The last requested photo that was handled. */
let told: number | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Synchronizes the viewer with the page state. It runs again after the viewer has closed. */
function follow(wanted: number | null, list: readonly TilePhoto[], areComing: boolean): void {
  if (viewer) {
    if (wanted === null) viewer.close()
    else {
      if (list !== photos) takeList(list)
      if (wanted !== told) goTo(wanted)
    }
  } else if (wanted !== null) {
    const index = indexIn(list, wanted)
    if (index >= 0) open(list, index)
    else {
      clearTimeout(timer)
      timer = setTimeout(() => void openAlone(wanted), areComing ? comingMs : 0)
    }
  }
  told = wanted
}

/** At first the page has only the first photos. */
const isWhole = (list: readonly TilePhoto[]): boolean => list !== page.photos || page.filtered <= list.length

const isComing = (): boolean => isLoading.value || !isWhole(outline.value)

const indexIn = (list: readonly TilePhoto[], id: number): number => list.findIndex((one) => one.id === id)

function open(list: readonly TilePhoto[], index: number, isAnimated = true): void {
  photos = list
  const id = list[index]?.id
  // A tile that is partly visible must not jump when it is touched.
  if (id !== undefined) revealTile(id, index, 'part')
  viewer = openViewer({
    photos: () => photos,
    index,
    isAnimated,
    onChange: arrive,
    onClose: () => {
      clearTimeout(timer)
      const left = viewing.peek()
      if (left) revealTile(left.photoId, indexIn(outline.peek(), left.photoId))
      closePhoto()
    },
    onClosed: () => {
      const left = viewing.peek()
      viewer = null
      viewing.value = null
      if (left) focusTile(left.photoId)
      untracked(followNow)
    },
  })
}

const followNow = () => follow(shownPhoto.value, outline.value, isComing())

/** Opens a photo that is not in the filtered list. */
async function openAlone(id: number): Promise<void> {
  const tile = await findPhoto(id).catch(() => undefined)
  if (viewer || shownPhoto.peek() !== id) return
  if (tile) return open([tile], 0)
  showNotice(t(tile === null ? 'photoMissing' : 'failed'), { isAlarm: true })
  closePhoto()
}

function arrive(index: number): void {
  const tile = photos[index]
  if (!tile) return
  viewing.value = { photoId: tile.id, index, total: isWhole(photos) ? photos.length : page.filtered }
  learnNear()
  clearTimeout(timer)
  timer = setTimeout(() => {
    told = tile.id
    if (shownPhoto.peek() !== null && shownPhoto.peek() !== tile.id) openPhoto(tile.id)
    revealTile(tile.id, indexIn(outline.peek(), tile.id))
  }, settleMs)
}

/** A failed load is repeated with the next photo or when the browser is online. */
function learnNear(): void {
  const index = viewing.peek()?.index
  if (index === undefined || photos !== outline.peek()) return
  loadDetails(Math.max(0, index - 5), index + 20).catch(() => undefined)
}

addEventListener('online', learnNear)

function goTo(id: number): void {
  const index = indexIn(photos, id)
  if (index >= 0) viewer?.goTo(index)
}

/** Takes a longer or another list. If the current photo is not in it, the old list stays. */
function takeList(list: readonly TilePhoto[]): void {
  const now = viewing.peek()
  if (!viewer || !now) return
  const index = indexIn(list, now.photoId)
  if (index < 0) return
  const isSameNear = Array.from({ length: 2 * keptAround + 1 }, (_, step) => now.index - keptAround + step).every(
    (place) => photos[place]?.id === list[place]?.id || (place >= photos.length && photos.length > now.index + 2),
  )
  if (index === now.index && isSameNear) {
    photos = list
    arrive(index)
  } else if (viewer.isOpen()) {
    viewer.replace(() => {
      viewer = null
      if (shownPhoto.peek() !== null) open(list, index, false)
    })
  } else setTimeout(followNow, openingMs)
}

// Runs at once if a photo is already requested, so it must be last.
effect(() => {
  const wanted = shownPhoto.value
  const list = outline.value
  const areComing = isComing()
  untracked(() => follow(wanted, list, areComing))
})
