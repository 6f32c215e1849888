import { expect, test } from 'vitest'
import { type AnsweredThread, addSeen, findNewAnswer, isUnseen } from './answer-rules.ts'

const ofOperator = (id: number) => ({ id, by: 'operator' as const, is_own: false })
const own = (id: number) => ({ id, by: 'guest' as const, is_own: true })
const ofOther = (id: number) => ({ id, by: 'guest' as const, is_own: false })
const thread = (messages: AnsweredThread['messages'], id = 1): AnsweredThread => ({ id, is_own: true, messages })

test('the last answer of the photographer is new until the guest has seen or answered it', () => {
  expect(findNewAnswer(thread([ofOperator(3), ofOther(4)]))).toBe(3)
  expect([[], [ofOther(2)], [ofOperator(3), own(4)]].map((messages) => findNewAnswer(thread(messages)))).toEqual([
    0, 0, 0,
  ])
  const answered = thread([ofOperator(3), own(4), ofOperator(5)])
  expect([{}, { 1: 3 }, { 2: 5 }, { 1: 5 }].map((seen) => isUnseen(answered, seen))).toEqual([true, true, true, false])
  expect(isUnseen({ ...answered, is_own: false }, {})).toBe(false)
})

test('only the newest threads are remembered', () => {
  const threads = Array.from({ length: 300 }, (_, index) => thread([ofOperator(1_000 + index)], index + 1))
  const seen = addSeen({ 7: 900 }, threads)
  expect(Object.keys(seen)).toHaveLength(200)
  expect(threads.filter((one) => isUnseen(one, seen)).map(({ id }) => id)).toEqual(
    threads.slice(0, 100).map(({ id }) => id),
  )
})
