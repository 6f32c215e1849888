import { effect } from '@preact/signals'
import { say } from '../state/page.ts'
import { total } from '../state/photos.ts'

export function watchPhotoCount(): void {
  const place = document.getElementById('photo-count')
  if (!place) return
  effect(() => {
    place.textContent = say('photos', { count: total.value })
  })
}
