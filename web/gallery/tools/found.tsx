import { page, say } from '../state/page.ts'
import { asked, outline, total } from '../state/photos.ts'
import { isFiltered } from './asked-rules.ts'

const first = outline.peek()

/** How many photos pass the filters: the page came with no more than the first of them. */
export const foundCount = (): number => (outline.value === first ? page.filtered : outline.value.length)

/** Told while not all photos are shown, to whoever listens as well. */
export function Found() {
  if (!isFiltered(asked.value)) return null
  return <>{say('foundOf', { found: foundCount(), photos: say('photos', { count: total.value }) })}</>
}
