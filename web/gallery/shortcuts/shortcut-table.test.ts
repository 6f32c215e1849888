import { expect, test } from 'vitest'
import { actionOf, shortcuts, takesKey } from './shortcut-table.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const pressed = (key: string, code = '', modifiers: Partial<typeof none> = {}) => ({ key, code, ...none, ...modifiers })

test('each key has one meaning', () => {
  const keys = shortcuts.flatMap(({ keys }) => Object.keys(keys))
  expect(new Set(keys).size).toBe(keys.length)
})

test('digits give stars and colours, as Lightroom has them', () => {
  expect(actionOf(pressed('4', 'Digit4'), true)).toEqual({ rating: 4 })
  expect(actionOf(pressed('0', 'Numpad0'), true)).toEqual({ rating: 0 })
  expect(actionOf(pressed('9', 'Digit9'), true)).toEqual({ color: 'blue' })
})

test('digits count where a keyboard writes other characters with their keys', () => {
  expect(actionOf(pressed('è', 'Digit7'), true)).toEqual({ color: 'yellow' })
})

test('letters count in either case, as Caps Lock has them', () => {
  expect(actionOf(pressed('P', 'KeyP'), true)).toBe('pick')
})

test('a question mark may need Shift, and the key of a digit', () => {
  expect(actionOf(pressed('?', 'Minus', { shiftKey: true }), true)).toBe('help')
  expect(actionOf(pressed('?', 'Digit7', { shiftKey: true }), true)).toBe('help')
})

test('with a modifier a key belongs to the browser', () => {
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey']) {
    expect(actionOf(pressed('p', 'KeyP', { [modifier]: true }), true)).toBeNull()
  }
})

test('switched off, only keys that write nothing stay', () => {
  expect(actionOf(pressed('p', 'KeyP'), false)).toBeNull()
  expect(actionOf(pressed('3', 'Digit3'), false)).toBeNull()
  expect(actionOf(pressed('ArrowRight', 'ArrowRight'), false)).toBe('next')
  expect(actionOf(pressed('Escape', 'Escape'), false)).toBe('close')
})

test('names of what every object has are no keys', () => {
  expect(actionOf(pressed('toString'), true)).toBeNull()
})

test('keys rest where somebody writes, and where a button or a player takes them itself', () => {
  const at = (tagName: string, isEditable = false) => ({ tagName, isEditable })
  expect(takesKey(at('INPUT'), 'p')).toBe(true)
  expect(takesKey(at('DIV', true), 'p')).toBe(true)
  expect(takesKey(at('VIDEO'), 'ArrowRight')).toBe(true)
  expect(takesKey(at('BUTTON'), ' ')).toBe(true)
  expect(takesKey(at('BUTTON'), 'p')).toBe(false)
  expect(takesKey(at('TEXTAREA'), 'Escape')).toBe(false)
})
