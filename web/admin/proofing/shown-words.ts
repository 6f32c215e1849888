import { sayIn } from '../desk/language.ts'
import { listWords } from '../parts/list-words.ts'
import type { GuestNames } from './guest-names.ts'
import type { PicksChoice } from './picks-choice.ts'

const say = sayIn('proofing')

export function shownWords({ guestIds, way, show }: PicksChoice, names: GuestNames, count: number): string {
  const guests = guestIds.map(names.of)
  if (guests.length === 0)
    return say(({ all: 'shownAll', overlap: 'shownOverlap', everybody: 'shownEverybody' } as const)[show], { count })
  const all = listWords(guests, 'and')
  if (way === 'only') return say('shownOnly', { count, guests: all })
  if (guests.length === 1) return say('shownOne', { count, guests: all })
  return way === 'all'
    ? say('shownByAll', { count, guests: all })
    : say('shownByAny', { count, guests: listWords(guests, 'or') })
}
