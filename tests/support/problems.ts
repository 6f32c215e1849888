import { expect } from 'vitest'
import type { Answer } from './test-client.ts'

export function expectProblem(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code, error: answer.body?.error }).toEqual({
    status,
    code,
    error: expect.stringMatching(/\S/),
  })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('x-request-id')).toMatch(/\S/)
}

export function expectLimited(answer: Answer, withinSeconds: number): void {
  expectProblem(answer, 429, 'RATE_LIMITED')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(withinSeconds)
}

export function expectInvalid(answer: Answer, path: string): void {
  expectProblem(answer, 400, 'VALIDATION_ERROR')
  const details: Array<{ path: string; message: string }> = answer.body.details ?? []
  expect(details.map((detail) => detail.path)).toContain(path)
  for (const { message } of details) expect(message).toMatch(/\S/)
}
