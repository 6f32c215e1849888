import { afterEach, expect, test, vi } from 'vitest'
import { print, printError, printJson, printQuestion, showControls } from './print.ts'

afterEach(() => void vi.restoreAllMocks())

const hostile = 'a\u001b]0;title\u0007\u009b31m\u202egpj\u2066\r\nOK\u007f\tÄ é 写真 👰🏽‍♀️.jpg'
const shown = 'a\\x1b]0;title\\x07\\x9b31m\\u202egpj\\u2066\\x0d\\x0aOK\\x7f\\x09Ä é 写真 👰🏽‍♀️.jpg'

test('control characters are shown as escapes, and all other text stays', () => {
  expect(showControls(hostile)).toBe(shown)
  for (let code = 0; code < 0x3000; code++) {
    const isControl = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(String.fromCharCode(code))
    expect(showControls(String.fromCharCode(code)).startsWith('\\') && code !== 0x5c, String(code)).toBe(isControl)
  }
})

test('each text is one line of the output, and JSON keeps its values', () => {
  const out = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const err = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  print('first', hostile)
  printError(hostile)
  printQuestion(hostile)
  expect([out.mock.calls, err.mock.calls, write.mock.calls]).toEqual([[['first'], [shown]], [[shown]], [[shown]]])
  for (const indent of [undefined, 2]) {
    out.mockClear()
    printJson({ name: hostile, list: [1] }, indent)
    const [[json]] = out.mock.calls as [[string]]
    expect(JSON.parse(json)).toEqual({ name: hostile, list: [1] })
    expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  }
})
