import { effect } from '@preact/signals'
import { t } from '../state/page.ts'
import { total } from '../state/photos.ts'

export function watchPhotoCount(): void {
  const place = document.getElementById('photo-count')
  if (!place) return
  effect(() => {
    place.textContent = t('photos', { count: total.value })
  })
}
