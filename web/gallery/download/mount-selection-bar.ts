import { effect } from '@preact/signals'
import { h, render } from 'preact'
import { showNotice } from '../parts/notices.tsx'
import { t } from '../state/page.ts'
import { getLastTouched, selected, stopSelecting } from '../state/selection.ts'

/** Shows the selection bar in selection mode. */
export function mountSelectionBar(tools: HTMLElement): void {
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
    showNotice(t('failed'), { isError: true })
  }
}

function hide(place: HTMLElement): void {
  const hadFocus = place.contains(document.activeElement)
  render(null, place)
  if (!hadFocus) return
  const photos = [...document.querySelectorAll<HTMLElement>('[data-photo]')]
  const touched = photos.find((photo) => photo.dataset.photo === String(getLastTouched()))
  const firstVisible = photos.find((photo) => photo.getBoundingClientRect().top >= 0)
  ;(touched ?? firstVisible)?.focus({ preventScroll: true })
}
