import { effect } from '@preact/signals'
import { h, render } from 'preact'
import { tell } from '../parts/notices.tsx'
import { say } from '../state/page.ts'
import { lastTouched, selected, stopSelecting } from '../state/selection.ts'

/** Has the bar come behind the tools, and so ahead of the photos, whenever something is being selected. */
export function keepSelectionBar(tools: HTMLElement): void {
  const place = document.createElement('div')
  tools.after(place)
  effect(() => {
    const isSelecting = selected.value !== null
    document.documentElement.classList.toggle('selecting', isSelecting)
    if (isSelecting) void show(place)
    else hide(place)
  })
}

async function show(place: HTMLElement): Promise<void> {
  try {
    const { SelectionBar } = await import('./selection-bar.tsx')
    if (selected.peek() !== null) render(h(SelectionBar, {}), place)
  } catch {
    stopSelecting()
    tell(say('failed'), { isAlarm: true })
  }
}

/** Focus that would go down with the bar goes to the photo touched last, else to the first in sight. */
function hide(place: HTMLElement): void {
  const hadFocus = place.contains(document.activeElement)
  render(null, place)
  if (!hadFocus) return
  const photos = [...document.querySelectorAll<HTMLElement>('[data-photo]')]
  const touched = photos.find((photo) => photo.dataset.photo === String(lastTouched()))
  const inSight = photos.find((photo) => photo.getBoundingClientRect().top >= 0)
  ;(touched ?? inSight)?.focus({ preventScroll: true })
}
