import 'photoswipe/style.css'
import './viewer.css'
import { effect, untracked } from '@preact/signals'
import type { TilePhoto } from '../../../contract/gallery-tiles.ts'
import { focusTile, revealTile } from '../grid/reveal-tile.ts'
import { tell } from '../parts/notices.tsx'
import { page, say } from '../state/page.ts'
import { isLoading, loadDetails, outline } from '../state/photos.ts'
import { closePhoto, openPhoto, shownPhoto } from '../state/shown-photo.ts'
import { findPhoto } from './find-photo.ts'
import { type OpenViewer, openViewer } from './open-viewer.tsx'
import { viewing } from './viewing.ts'

/** Slides near the one shown are kept as they are by index: only where all these stay, more photos may simply join. */
const keptAround = 7
/** The address follows, and the grid behind, when somebody stays with a photo for so long: longer than it opens. */
const settleMs = 400

/** Photos that do not come in this time are not waited for. */
const comingMs = 10_000
/** While it opens it takes no other list. */
const openingMs = 100

let viewer: OpenViewer | null = null
let photos: readonly TilePhoto[] = []
/** The photo that `shownPhoto` asked for last, by us or by somebody else. */
let told: number | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Brings the viewer to what the page wants of it. While it opens or closes it is asked again afterwards. */
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

/** The page comes with the first photos alone; the others are on their way. */
const isWhole = (list: readonly TilePhoto[]): boolean => list !== page.photos || page.filtered <= list.length

const isComing = (): boolean => isLoading.value || !isWhole(outline.value)

const indexIn = (list: readonly TilePhoto[], id: number): number => list.findIndex((one) => one.id === id)

function open(list: readonly TilePhoto[], index: number, isAnimated = true): void {
  photos = list
  const id = list[index]?.id
  // Somebody who has touched a part of it sees nothing jump.
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

/** A photo that the filter leaves out is shown by itself. */
async function openAlone(id: number): Promise<void> {
  const tile = await findPhoto(id).catch(() => undefined)
  if (viewer || shownPhoto.peek() !== id) return
  if (tile) return open([tile], 0)
  tell(say(tile === null ? 'photoMissing' : 'failed'), { isAlarm: true })
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

/** What cannot be loaded now is asked for again with the next photo, or when there is a connection. */
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

/** The list has grown, or is another one by now. A photo that is not in it any more stays, among those it was among. */
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

// Begins with a photo that is wanted already, so it stands last.
effect(() => {
  const wanted = shownPhoto.value
  const list = outline.value
  const areComing = isComing()
  untracked(() => follow(wanted, list, areComing))
})
