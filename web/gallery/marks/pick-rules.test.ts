import { expect, test } from 'vitest'
import { countsAsPick, toggleDifference } from './pick-rules.ts'

const nothing = { is_favorited: false, is_liked: false, my_rating: null }

test('counts favorites as picks, or in a gallery without favorites likes and four or more stars', () => {
  expect(countsAsPick('favorite', { ...nothing, is_favorited: true })).toBe(true)
  expect(countsAsPick('favorite', { ...nothing, is_liked: true, my_rating: 5 })).toBe(false)
  expect(countsAsPick('like', { ...nothing, is_liked: true })).toBe(true)
  expect(countsAsPick('like', { ...nothing, my_rating: 4 })).toBe(true)
  expect(countsAsPick('like', { ...nothing, my_rating: 3 })).toBe(false)
  expect(countsAsPick('like', nothing)).toBe(false)
})

test('lists a photo as changed until its pick is reverted', () => {
  const picked = toggleDifference(new Set(), 7, false, true)
  expect([...picked]).toEqual([7])
  expect([...toggleDifference(picked, 7, true, false)]).toEqual([])
  expect([...toggleDifference(picked, 8, true, false)]).toEqual([7, 8])
  expect(toggleDifference(picked, 7, true, true)).toBe(picked)
})
