import { signal } from '@preact/signals'
import { parsePhotoId } from '../../../contract/gallery/gallery-tiles.ts'
import {
  addEntry,
  getEntryFacts,
  getPageUrl,
  onHistoryChange,
  removeEntry,
  updateEntry,
  whenHistoryIdle,
} from './history-layers.ts'

/** The id of the photo that the viewer shows, as in the URL parameter `photo`. Null while the viewer is closed. */
export const shownPhoto = signal<number | null>(readPhotoFromUrl())

export function openPhoto(id: number): void {
  const isOpen = shownPhoto.value !== null
  shownPhoto.value = id
  whenHistoryIdle(() => {
    if (isOpen) updateEntry({}, createPhotoUrl(id))
    else addEntry({ isPhoto: true }, createPhotoUrl(id))
  })
}

/** Goes back in the history if opening the viewer added an entry, so that no unused entry remains. */
export function closePhoto(): void {
  if (shownPhoto.value === null) return
  shownPhoto.value = null
  whenHistoryIdle(() => {
    if (getEntryFacts().isPhoto) removeEntry({ isPhoto: false }, createPhotoUrl(null))
    else updateEntry({}, createPhotoUrl(null))
  })
}

onHistoryChange(() => {
  shownPhoto.value = readPhotoFromUrl()
})

function readPhotoFromUrl(): number | null {
  return parsePhotoId(new URLSearchParams(location.search).get('photo'))
}

function createPhotoUrl(id: number | null): string {
  const url = getPageUrl()
  if (id === null) url.searchParams.delete('photo')
  else url.searchParams.set('photo', String(id))
  return url.href
}
