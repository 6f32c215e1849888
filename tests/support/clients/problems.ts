import { expect } from 'vitest'
import type { TestResponse } from './test-client.ts'

export function expectProblem(response: TestResponse, status: number, code: string): void {
  expect({ status: response.status, code: response.body?.code, error: response.body?.error }).toEqual({
    status,
    code,
    error: expect.stringMatching(/\S/),
  })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('x-request-id')).toMatch(/\S/)
}

export function expectRateLimited(response: TestResponse, withinSeconds: number): void {
  expectProblem(response, 429, 'RATE_LIMITED')
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(withinSeconds)
}

export function expectInvalidField(response: TestResponse, path: string): void {
  expectProblem(response, 400, 'VALIDATION_ERROR')
  const details: Array<{ path: string; message: string }> = response.body.details ?? []
  expect(details.map((detail) => detail.path)).toContain(path)
  for (const { message } of details) expect(message).toMatch(/\S/)
}
