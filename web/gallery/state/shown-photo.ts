import { signal } from '@preact/signals'

/** The photo that the viewer shows; null while it is closed. The address holds it as `photo`. */
export const shownPhoto = signal<number | null>(photoInAddress())

/** One step back in the history closes it again. */
export function openPhoto(id: number): void {
  const isOpen = shownPhoto.value !== null
  shownPhoto.value = id
  const address = withPhoto(id)
  if (isOpen) history.replaceState(history.state, '', address)
  else history.pushState({ ...history.state, isPhoto: true }, '', address)
}

/** By going back where the viewer was opened from the grid, so that no dead step stays behind. */
export function closePhoto(): void {
  if (shownPhoto.value === null) return
  if (history.state?.isPhoto) history.back()
  else {
    shownPhoto.value = null
    history.replaceState(history.state, '', withPhoto(null))
  }
}

addEventListener('popstate', () => {
  shownPhoto.value = photoInAddress()
})

function photoInAddress(): number | null {
  const id = new URLSearchParams(location.search).get('photo')
  return id !== null && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null
}

function withPhoto(id: number | null): string {
  const query = new URLSearchParams(location.search)
  if (id === null) query.delete('photo')
  else query.set('photo', String(id))
  const text = query.toString()
  return location.pathname + (text && `?${text}`)
}
