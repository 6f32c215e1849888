import { describe, expect, onTestFinished, test } from 'vitest'
import { anySignal } from './any-signal.ts'

/** Simulates Safari before 17.4, which has no `AbortSignal.any`. */
function withoutAny(): void {
  const own = Object.getOwnPropertyDescriptor(AbortSignal, 'any') ?? {}
  Reflect.deleteProperty(AbortSignal, 'any')
  onTestFinished(() => {
    Object.defineProperty(AbortSignal, 'any', own)
  })
}

describe.each([
  ['with `AbortSignal.any`', () => {}],
  ['without `AbortSignal.any`', withoutAny],
])('%s', (_name, prepare) => {
  const begin = () => {
    prepare()
    return [new AbortController(), new AbortController()] as const
  }

  test.each([0, 1])('aborts with the reason of the first signal that aborts, at index %i', (number) => {
    const controllers = begin()
    const joined = anySignal(controllers.map(({ signal }) => signal))
    let ends = 0
    joined.addEventListener('abort', () => ends++)
    expect(joined.aborted).toBe(false)

    controllers[number]?.abort('enough')
    expect([joined.aborted, joined.reason]).toEqual([true, 'enough'])
    controllers[1 - number]?.abort('too late')
    expect([joined.reason, ends]).toEqual(['enough', 1])
  })

  test('is aborted at once, with the reason of the first signal that is already aborted', () => {
    const [first, second] = begin()
    first.abort('the first')
    second.abort('the second')
    expect(anySignal([first.signal, second.signal]).reason).toBe('the first')
    expect(anySignal([new AbortController().signal, second.signal]).reason).toBe('the second')
  })

  test('passes on the TimeoutError of a timeout', async () => {
    begin()
    const joined = anySignal([new AbortController().signal, AbortSignal.timeout(5)])
    await expect.poll(() => joined.aborted).toBe(true)
    expect(joined.reason.name).toBe('TimeoutError')
  })
})
