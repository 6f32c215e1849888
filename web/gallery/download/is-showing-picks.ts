import { pickFilter, pickKind } from '../state/page.ts'
import { asked, counts } from '../state/photos.ts'

/** Returns whether the guest has picks. A download of the gallery then offers them, too. */
export const hasPicks = (): boolean => pickKind !== null && counts.value[pickFilter] > 0

/** Returns whether the gallery shows the guest's picks. A download of the gallery then begins with them. */
export const isShowingPicks = (): boolean => hasPicks() && asked.value.filter === pickFilter
