import { pickFilter, pickKind } from '../state/page.ts'
import { asked, counts } from '../state/photos.ts'

/** Returns whether the gallery shows the guest's picks. A download of the gallery then begins with them. */
export const isShowingPicks = (): boolean =>
  pickKind !== null && asked.value.filter === pickFilter && counts.value[pickFilter] > 0
