import type { Answer } from './test-client.ts'
import type { TestService } from './test-service.ts'

/** Times are those of `performance.now()`. */
export type NotedAnswer = {
  what: string
  url: string
  askedAt: number
  tookMs: number
  /** 0: the connection ended before the response was complete. */
  status: number
  code: string | null
  retryAfter: string | null
}

export type Send = (service: TestService) => Promise<Answer>

/** Sends requests and records the responses. Returns null for a request without a response. */
export function noteAnswers(services: readonly TestService[]) {
  const answers: NotedAnswer[] = []
  let turn = 0

  async function askAt(service: TestService, what: string, send: Send): Promise<Answer | null> {
    const askedAt = performance.now()
    const answer = await send(service).catch(() => null)
    const tookMs = performance.now() - askedAt
    const retryAfter = answer?.headers.get('retry-after') ?? null
    const { status = 0, body } = answer ?? {}
    answers.push({ what, url: service.url, askedAt, tookMs, status, code: body?.code ?? null, retryAfter })
    return answer
  }

  return {
    answers,
    askAt,
    ask: (what: string, send: Send) => askAt(services[turn++ % services.length] as TestService, what, send),
  }
}
