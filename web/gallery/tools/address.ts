import type { GalleryAsked } from '../../../contract/gallery-page.ts'
import { showNotice } from '../parts/notices.tsx'
import { page, t } from '../state/page.ts'
import { ask, asked } from '../state/photos.ts'
import { addStep, changeStep, currentFacts, onArrival, whenStill } from '../state/way-back.ts'
import { inOrder, readAsked } from './asked-rules.ts'

export function withFilter(filter: GalleryAsked): GalleryAsked {
  const { sort, order } = asked.value
  return inOrder({ ...filter, sort, order })
}

/** Keeps the operator view. */
export function addressFor(wanted: GalleryAsked): string {
  const query = new URLSearchParams({ ...inOrder(wanted), ...(page.viewer.kind === 'operator' && { as: 'operator' }) })
  return location.pathname + (query.size > 0 ? `?${query}` : '')
}

/** With `isSameEntry`, consecutive changes, such as the letters of a search, share one history entry. */
export function askInAddress(wanted: GalleryAsked, { isSameStep = false } = {}): void {
  whenStill(() => {
    const isLaterBit = isSameStep && currentFacts().isBitByBit
    if (isLaterBit) changeStep({}, addressFor(wanted))
    else addStep({ isBitByBit: isSameStep }, addressFor(wanted))
  })
  // Scroll to the first photos, below the tools.
  const photos = document.getElementById('photos')
  if (photos && photos.getBoundingClientRect().top < 0) photos.scrollIntoView()
  show(inOrder(wanted))
}

/** Ends a series of changes that share one history entry. */
export function endStep(): void {
  whenStill(() => currentFacts().isBitByBit && changeStep({ isBitByBit: false }))
}

onArrival(() => {
  const wanted = readAsked(location.search)
  if (JSON.stringify(wanted) !== JSON.stringify(inOrder(asked.value))) show(wanted)
})

function show(wanted: GalleryAsked): void {
  ask(wanted).catch((error) => {
    if (!(error instanceof DOMException)) showNotice(t('failed'), { isAlarm: true })
  })
}
