import { expect, test } from 'vitest'
import { createEventParser } from './server-sent-events.ts'

test('createEventParser reads complete events from chunks of any size', () => {
  const text = 'retry: 3000\n\n: still here\n\nid: 7\nevent: feedback\ndata: {"a":"b: c"}\n\nevent: reset\ndata: {}\n\n'
  const expected = [
    { id: '7', type: 'feedback', data: '{"a":"b: c"}' },
    { id: null, type: 'reset', data: '{}' },
  ]
  for (let size = 1; size <= text.length; size++) {
    const read = createEventParser()
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, at * size + size),
    )
    expect(chunks.flatMap(read)).toEqual(expected)
  }
})

test('createEventParser joins data lines and returns an event only when it is complete', () => {
  const read = createEventParser()
  expect(read('data: one\ndata: two\n')).toEqual([])
  expect(read('\n')).toEqual([{ id: null, type: 'message', data: 'one\ntwo' }])
})
