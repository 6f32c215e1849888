export type SentRequest = { method: string; path: string; headers: Headers }
/** Returns a response instead of that of the service, null to send the request, or throws. */
type Interrupt = (request: SentRequest, count: number) => Response | null

const describe = ({ method, url, headers }: Request): SentRequest => ({ method, path: new URL(url).pathname, headers })

/** A `fetch` that records requests and can fail before they are sent. `count` is the number of the request, from 1. */
export function recordingFetch(interrupt: Interrupt = () => null) {
  const sent: SentRequest[] = []
  return {
    sent,
    fetch: async (request: Request): Promise<Response> => {
      const described = describe(request)
      sent.push(described)
      return interrupt(described, sent.length) ?? fetch(request)
    },
  }
}

/** A `fetch` whose connection is lost `losses` times after the service has done what was asked. */
export function losingFetch(losses: number) {
  const sent: SentRequest[] = []
  return {
    sent,
    fetch: async (request: Request): Promise<Response> => {
      sent.push(describe(request))
      const response = await fetch(request)
      if (sent.length > losses) return response
      await response.arrayBuffer()
      throw new TypeError('fetch failed')
    },
  }
}

/** A `fetch` whose first `cuts` responses end with an error after `bytes` bytes. */
export function cuttingFetch(cuts: number, bytes: number) {
  const sent: SentRequest[] = []
  return {
    sent,
    fetch: async (request: Request): Promise<Response> => {
      sent.push(describe(request))
      const response = await fetch(request)
      if (sent.length > cuts || !response.body) return response
      let left = bytes
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (chunk.length > left) {
            controller.enqueue(chunk.subarray(0, left))
            throw new TypeError('terminated')
          }
          left -= chunk.length
          controller.enqueue(chunk)
        },
      })
      return new Response(response.body.pipeThrough(cut), response)
    },
  }
}

export const problemResponse = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  more = {},
): Response =>
  new Response(JSON.stringify({ error: 'For the test', code, ...more }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
