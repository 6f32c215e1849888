import { signal } from '@preact/signals'
import { photoNamed } from '../../../contract/gallery-tiles.ts'
import { addStep, changeStep, currentAddress, currentFacts, leaveStep, onArrival, whenStill } from './way-back.ts'

/** The photo that the viewer shows; null while it is closed. The URL has it as `photo`. */
export const shownPhoto = signal<number | null>(photoInAddress())

export function openPhoto(id: number): void {
  const isOpen = shownPhoto.value !== null
  shownPhoto.value = id
  whenStill(() => {
    if (isOpen) changeStep({}, withPhoto(id))
    else addStep({ isPhoto: true }, withPhoto(id))
  })
}

/** Goes back in the history if the viewer was opened from the grid, so that no unused entry remains. */
export function closePhoto(): void {
  if (shownPhoto.value === null) return
  shownPhoto.value = null
  whenStill(() => {
    if (currentFacts().isPhoto) leaveStep({ isPhoto: false }, withPhoto(null))
    else changeStep({}, withPhoto(null))
  })
}

onArrival(() => {
  shownPhoto.value = photoInAddress()
})

function photoInAddress(): number | null {
  return photoNamed(new URLSearchParams(location.search).get('photo'))
}

function withPhoto(id: number | null): string {
  const url = currentAddress()
  if (id === null) url.searchParams.delete('photo')
  else url.searchParams.set('photo', String(id))
  return url.href
}
