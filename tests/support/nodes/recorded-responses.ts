import type { TestResponse } from '../clients/test-client.ts'
import type { TestService } from '../service/test-service.ts'

/** `sentAt` is a time of `performance.now()`. */
export type RecordedResponse = {
  what: string
  url: string
  sentAt: number
  tookMs: number
  /** 0: the connection ended before the response was complete. */
  status: number
  code: string | null
  retryAfter: string | null
}

export type Send = (service: TestService) => Promise<TestResponse>

/** Returns functions that send requests and record the responses. They return null for a request without a response. */
export function recordResponses(services: readonly TestService[]) {
  const responses: RecordedResponse[] = []
  let nextIndex = 0

  async function sendTo(service: TestService, what: string, send: Send): Promise<TestResponse | null> {
    const sentAt = performance.now()
    const response = await send(service).catch(() => null)
    const tookMs = performance.now() - sentAt
    const retryAfter = response?.headers.get('retry-after') ?? null
    const { status = 0, body } = response ?? {}
    responses.push({ what, url: service.url, sentAt, tookMs, status, code: body?.code ?? null, retryAfter })
    return response
  }

  return {
    responses,
    sendTo,
    sendToNext: (what: string, send: Send) =>
      sendTo(services[nextIndex++ % services.length] as TestService, what, send),
  }
}
