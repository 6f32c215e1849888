import type { GalleryAsked } from '../../../contract/gallery-page.ts'
import { tell } from '../parts/notices.tsx'
import { page, say } from '../state/page.ts'
import { ask, asked } from '../state/photos.ts'
import { addStep, changeStep, currentFacts, onArrival, whenStill } from '../state/way-back.ts'
import { inOrder, readAsked } from './asked-rules.ts'

/** Another filter, with the order as it is. */
export function withFilter(filter: GalleryAsked): GalleryAsked {
  const { sort, order } = asked.value
  return inOrder({ ...filter, sort, order })
}

/** Of this page, asking for those photos; an operator who looks in stays one. */
export function addressFor(wanted: GalleryAsked): string {
  const query = new URLSearchParams({ ...inOrder(wanted), ...(page.viewer.kind === 'operator' && { as: 'operator' }) })
  return location.pathname + (query.size > 0 ? `?${query}` : '')
}

/**
 * Shows other photos and keeps them in the address, so that they can be shared and gone back to. What is chosen bit by
 * bit, letter by letter, is one step back in all.
 */
export function askInAddress(wanted: GalleryAsked, { isSameStep = false } = {}): void {
  whenStill(() => {
    const isLaterBit = isSameStep && currentFacts().isBitByBit
    if (isLaterBit) changeStep({}, addressFor(wanted))
    else addStep({ isBitByBit: isSameStep }, addressFor(wanted))
  })
  // The first of them are what is seen next, below the tools.
  const photos = document.getElementById('photos')
  if (photos && photos.getBoundingClientRect().top < 0) photos.scrollIntoView()
  show(inOrder(wanted))
}

/** What was chosen bit by bit until now is a step of its own. */
export function endStep(): void {
  whenStill(() => currentFacts().isBitByBit && changeStep({ isBitByBit: false }))
}

onArrival(() => {
  const wanted = readAsked(location.search)
  if (JSON.stringify(wanted) !== JSON.stringify(inOrder(asked.value))) show(wanted)
})

function show(wanted: GalleryAsked): void {
  ask(wanted).catch((error) => {
    if (!(error instanceof DOMException)) tell(say('failed'), { isAlarm: true })
  })
}
