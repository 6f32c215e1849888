import { batch, computed, type Signal, signal } from '@preact/signals'
import type { GalleryList, GalleryOutline, GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import type { GalleryListQueryParams } from '../../../contract/gallery/gallery-page.ts'
import type { TilePhoto } from '../../../contract/gallery/gallery-tiles.ts'
import { findGroupStarts, isGroupedList, type PhotoGroup } from '../../../contract/gallery/photo-groups.ts'
import { call } from './api.ts'
import { page } from './page.ts'

export const asked = signal<GalleryListQueryParams>(page.asked)

/** The listed photos in order, with their sizes. At first these are only the photos that the page contains. */
export const outline = signal<TilePhoto[]>(page.photos)
const groups = signal<PhotoGroup[]>(page.groups)
const offset = signal(page.offset)
/** The categories of the listed photos, if the list is grouped by category. */
export const groupStarts = computed(() => findGroupStarts(groups.value, offset.value, outline.value.length))
export const isLoading = signal(false)

export const total = signal(page.total)
export const videoCount = signal(page.video_count)
export const counts = signal(page.counts)

export const categories = signal(page.categories)

const known = new Map<number, Signal<GalleryPhoto | null>>()
for (const photo of page.photos) getPhoto(photo.id).value = photo

/** Returns a signal with the details of a photo, null until they are loaded. */
export function getPhoto(id: number): Signal<GalleryPhoto | null> {
  const photo = known.get(id) ?? signal<GalleryPhoto | null>(null)
  known.set(id, photo)
  return photo
}

type Overlay = (photo: GalleryPhoto, askedAt: number) => GalleryPhoto
let overlay: Overlay = (photo) => photo

/** `change` is applied to every photo that `setLoadedPhoto` gets. `askedAt`: the `performance.now()` of the request. */
export function setOverlay(change: Overlay): void {
  overlay = change
}

export function setLoadedPhoto(photo: GalleryPhoto, askedAt: number): void {
  getPhoto(photo.id).value = overlay(photo, askedAt)
}

/** Does nothing for a photo that is not loaded. */
export function updatePhoto(id: number, change: (photo: GalleryPhoto) => Partial<GalleryPhoto>): void {
  const photo = getPhoto(id)
  if (photo.value) photo.value = { ...photo.value, ...change(photo.value) }
}

const pageLength = 100
export const outlineLength = 10_000

let listController = new AbortController()
let pendingPages = new Set<number>()

const createListQuery = (query: GalleryListQueryParams, page: number, limit: number) =>
  new URLSearchParams({
    ...query,
    ...(isGroupedList(query) && { group: 'category' }),
    page: String(page),
    limit: String(limit),
  })

/** The previous photos stay until the new ones arrive. Throws AbortError when another list is requested. */
export async function loadList(next: GalleryListQueryParams): Promise<void> {
  listController.abort()
  listController = new AbortController()
  const { signal } = listController
  asked.value = next
  isLoading.value = true
  try {
    const found = await loadOutline(next, signal)
    pendingPages = new Set()
    showOutline(found)
    await loadDetails(0, Math.min(found.photos.length, 60), true)
  } finally {
    if (!signal.aborted) isLoading.value = false
  }
}

/** Reloads the current list. Calls `beforeChange` only if the list changes, before the change. */
export async function reloadList(beforeChange: () => void): Promise<void> {
  const { signal } = listController
  const [knownTotal, known, knownGroups] = [total.peek(), outline.peek(), groups.peek()]
  const found = await loadOutline(asked.peek(), signal)
  const isSame =
    found.photos.length === known.length &&
    found.photos.every(({ id }, index) => id === known[index]?.id) &&
    JSON.stringify(found.groups) === JSON.stringify(knownGroups)
  if (isSame && total.peek() === knownTotal) return
  pendingPages = new Set()
  if (!isSame && !signal.aborted) {
    beforeChange()
    showOutline(found)
  }
  // This also updates the categories.
  await loadPage(1, signal)
}

/** Loads the outline of all photos. Unless `isHurried`, first waits for the page to load or for user input. */
export async function loadRest(isHurried: boolean): Promise<void> {
  const controller = listController
  if (!isHurried && document.readyState !== 'complete') {
    await new Promise((resolve) => {
      for (const event of ['load', 'scroll', 'pointerdown', 'keydown']) addEventListener(event, resolve, { once: true })
    })
  }
  // Another query may have replaced this one.
  if (controller === listController) showOutline(await loadOutline(asked.peek(), listController.signal))
}

type Outline = { photos: TilePhoto[]; groups: PhotoGroup[] }

function showOutline({ photos, groups: found }: Outline): void {
  batch(() => {
    outline.value = photos
    groups.value = found
    offset.value = 0
  })
}

async function loadOutline(nextQuery: GalleryListQueryParams, signal: AbortSignal): Promise<Outline> {
  const photos: TilePhoto[] = []
  for (let number = 1; ; number++) {
    const query = createListQuery(nextQuery, number, outlineLength)
    const found = await call<typeof GalleryOutline>(`/outline?${query}`, { signal })
    photos.push(...found.photos.map(([id, width, height]) => ({ id, width, height })))
    total.value = found.pagination.total
    if (number >= found.pagination.pages) return { photos, groups: found.groups ?? [] }
  }
}

/**
 * Loads the details of the photos with the indexes from `from` to `to` (exclusive), in pages. Skips pages that are
 * loading, and, unless `isForced`, pages that are loaded.
 */
export async function loadDetails(from: number, to: number, isForced = false): Promise<void> {
  const { signal } = listController
  const pages = []
  for (let number = Math.floor(from / pageLength) + 1; (number - 1) * pageLength < to; number++) {
    const start = (number - 1) * pageLength
    const photos = outline.value.slice(Math.max(from, start), Math.min(to, start + pageLength))
    const isKnown = !isForced && photos.every(({ id }) => getPhoto(id).value)
    if (!isKnown && !pendingPages.has(number)) pages.push(number)
  }
  await Promise.all(pages.map((number) => loadPage(number, signal)))
}

async function loadPage(number: number, signal: AbortSignal): Promise<void> {
  pendingPages.add(number)
  const askedAt = performance.now()
  try {
    const query = createListQuery(asked.value, number, pageLength)
    const list = await call<typeof GalleryList>(`/photos?${query}`, { signal })
    for (const photo of list.photos) setLoadedPhoto(photo, askedAt)
    total.value = list.pagination.total
    videoCount.value = list.video_count
    if (JSON.stringify(list.categories) !== JSON.stringify(categories.peek())) categories.value = list.categories
  } finally {
    pendingPages.delete(number)
  }
}
