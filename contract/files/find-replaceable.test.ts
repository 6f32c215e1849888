import { describe, expect, test } from 'vitest'
import { findReplaceable } from './find-replaceable.ts'

const taken = Date.UTC(2024, 4, 4, 10, 20, 30)

describe('findReplaceable', () => {
  const photo = (id: number, time: number | null) => ({
    id,
    captured_at: time === null ? null : new Date(time).toISOString(),
  })
  const find = (photos: Array<ReturnType<typeof photo>>, time: number | null, is_exact = true) =>
    Object.values(findReplaceable({ photos, is_exact }, time))

  test('a photo of another time is probably another one; an unknown time says nothing', () => {
    expect(find([photo(1, taken)], taken)).toEqual(['sameName', 1])
    expect(find([photo(1, taken)], taken, false)).toEqual(['similarName', 1])
    expect(find([photo(1, taken)], taken + 1000)).toEqual(['otherTime', 1])
    expect(find([photo(1, taken)], null)).toEqual(['sameName', 1])
    expect(find([photo(1, null)], taken)).toEqual(['sameName', 1])
  })

  test('of several photos, only one of the same time can be replaced', () => {
    const several = [photo(1, taken), photo(2, taken + 1000), photo(3, null)]
    expect(find(several, taken + 1000)).toEqual(['sameName', 2])
    expect(find(several, taken + 2000)).toEqual(['severalNames', null])
    expect(find(several, null)).toEqual(['severalNames', null])
    expect(find([photo(1, taken), photo(2, taken)], taken)).toEqual(['severalNames', null])
    expect(find([], taken)).toEqual(['severalNames', null])
  })
})
