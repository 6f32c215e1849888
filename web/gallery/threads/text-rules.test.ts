import { expect, test } from 'vitest'
import { charactersLeft, isNearLimit, isNoteContinued, isSendable } from './text-rules.ts'

test('allows a thousand characters, whatever their length in UTF-16, and shows how many of the last hundred are left', () => {
  expect(isSendable('😀'.repeat(1000))).toBe(true)
  expect(isSendable('a'.repeat(1001))).toBe(false)
  expect(charactersLeft('😀'.repeat(1001))).toBe(-1)
  expect(charactersLeft(`  ${'a'.repeat(1000)}\n`)).toBe(0)
  expect(isSendable(' \n\t ')).toBe(false)
  expect(isNearLimit('a'.repeat(899))).toBe(false)
  expect(isNearLimit('a'.repeat(900))).toBe(true)
})

test('opens an unsent note as a note, and of two unsent texts the kind that was chosen last', () => {
  expect(isNoteContinued({ comment: '', note: 'For you', chosen: 'note' })).toBe(true)
  expect(isNoteContinued({ comment: '', note: 'For you', chosen: 'comment' })).toBe(true)
  expect(isNoteContinued({ comment: 'For all', note: 'For you', chosen: 'note' })).toBe(true)
  expect(isNoteContinued({ comment: 'For all', note: 'For you', chosen: 'comment' })).toBe(false)
  expect(isNoteContinued({ comment: 'For all', note: '', chosen: 'note' })).toBe(false)
  expect(isNoteContinued({ comment: '', note: '', chosen: 'note' })).toBe(false)
})
