import { expect, test } from 'vitest'
import { colorLabels } from '../../../contract/marks.ts'
import { findLabelColor, labelNames } from './label-names.ts'

test.each(Object.entries(labelNames))('finds the color of each name of the set %s', (_, names) => {
  expect(colorLabels.map((color) => findLabelColor(names[color]))).toEqual(colorLabels)
})

test('ignores case, spaces and composed characters, and knows no other names', () => {
  expect(findLabelColor(' GRU\u0308N ')).toBe('green')
  expect(findLabelColor('グリーン'.normalize('NFD'))).toBe('green')
  expect(findLabelColor('Winner')).toBeNull()
  expect(findLabelColor('')).toBeNull()
})
