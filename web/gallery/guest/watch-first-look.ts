import { effect } from '@preact/signals'
import { readStored, writeStored } from '../../shared/browser-storage.ts'
import { openDialog } from '../parts/open-dialog.tsx'
import { page, t } from '../state/page.ts'
import { total } from '../state/photos.ts'

const key = `proofroom-first-look-${page.slug}`

/**
 * Guests can ask for a mail when all photos are there. Those who have asked read how many photos have come since their
 * last visit.
 */
export function watchFirstLook(notice: HTMLElement): void {
  notice.querySelector('button')?.addEventListener('click', () => {
    void openDialog(async () => (await import('./first-look-dialog.tsx')).FirstLookDialog, {})
  })
  const before = Number(readStored('localStorage', key) ?? total.peek())
  const place = notice.querySelector('button') ? null : document.createElement('strong')
  if (place) notice.prepend(place, ' ')
  effect(() => {
    const added = total.value - before
    if (place) place.textContent = added > 0 ? t('firstLookNew', { count: added }) : ''
    writeStored('localStorage', key, String(total.value))
  })
}
