import { expect, test } from 'vitest'
import { applyMark, markForKey, resolveMarkChange } from './mark-keys.ts'

const press = (key: string, more = {}) =>
  markForKey({ key, code: `Digit${key}`, ctrlKey: false, metaKey: false, altKey: false, ...more })

test('maps digits to the marks that Lightroom gives them', () => {
  expect(['1', '5', '0', '6', '7', '8', '9'].map((key) => press(key))).toEqual([
    { rating: 1 },
    { rating: 5 },
    { rating: null },
    { color_label: 'red' },
    { color_label: 'yellow' },
    { color_label: 'green' },
    { color_label: 'blue' },
  ])
})

test('accepts digits that need Shift and the number pad, but no browser shortcuts', () => {
  expect(press('&', { code: 'Digit1' })).toEqual({ rating: 1 })
  expect(press('3', { code: 'Numpad3' })).toEqual({ rating: 3 })
  expect(press('1', { ctrlKey: true })).toBeNull()
  expect(press('a', { code: 'KeyA' })).toBeNull()
})

test('removes a color that all photos have, but not a rating', () => {
  const red = { my_rating: 2, my_color_label: 'red' as const }
  const none = { my_rating: null, my_color_label: null }
  expect(resolveMarkChange({ color_label: 'red' }, [red, red])).toEqual({ color_label: null })
  expect(resolveMarkChange({ color_label: 'red' }, [red, none])).toEqual({ color_label: 'red' })
  expect(resolveMarkChange({ rating: 2 }, [red])).toEqual({ rating: 2 })
  expect(applyMark(red, { rating: null })).toEqual({ my_rating: null, my_color_label: 'red' })
})
