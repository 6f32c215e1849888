import { expect, test } from 'vitest'
import { findAction, handlesKeyItself, shortcuts } from './shortcut-table.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const pressed = (key: string, code = '', modifiers: Partial<typeof none> = {}) => ({ key, code, ...none, ...modifiers })

test('gives each key one meaning', () => {
  const keys = shortcuts.flatMap(({ keys }) => Object.keys(keys))
  expect(new Set(keys).size).toBe(keys.length)
})

test('maps digits to stars and colors as Lightroom does, also on keyboards where they type other characters', () => {
  expect(findAction(pressed('4', 'Digit4'), true)).toEqual({ rating: 4 })
  expect(findAction(pressed('0', 'Numpad0'), true)).toEqual({ rating: 0 })
  expect(findAction(pressed('9', 'Digit9'), true)).toEqual({ color: 'blue' })
  expect(findAction(pressed('è', 'Digit7'), true)).toEqual({ color: 'yellow' })
})

test('ignores the case of letters', () => {
  expect(findAction(pressed('P', 'KeyP'), true)).toBe('pick')
  expect(findAction(pressed('?', 'Minus', { shiftKey: true }), true)).toBe('help')
  expect(findAction(pressed('?', 'Digit7', { shiftKey: true }), true)).toBe('help')
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey']) {
    expect(findAction(pressed('p', 'KeyP', { [modifier]: true }), true)).toBeNull()
  }
})

test('keeps only keys that type no character when shortcuts are off', () => {
  expect(findAction(pressed('p', 'KeyP'), false)).toBeNull()
  expect(findAction(pressed('3', 'Digit3'), false)).toBeNull()
  expect(findAction(pressed('ArrowRight', 'ArrowRight'), false)).toBe('next')
  expect(findAction(pressed('Escape', 'Escape'), false)).toBe('close')
  expect(findAction(pressed('toString'), true)).toBeNull()
})

test('ignores keys that a text field, button or player handles itself', () => {
  const at = (tagName: string, isContentEditable = false) => ({ tagName, isContentEditable })
  expect(handlesKeyItself(at('INPUT'), 'p')).toBe(true)
  expect(handlesKeyItself(at('DIV', true), 'p')).toBe(true)
  expect(handlesKeyItself(at('VIDEO'), 'ArrowRight')).toBe(true)
  expect(handlesKeyItself(at('BUTTON'), ' ')).toBe(true)
  expect(handlesKeyItself(at('BUTTON'), 'p')).toBe(false)
  expect(handlesKeyItself(at('TEXTAREA'), 'Escape')).toBe(false)
})
