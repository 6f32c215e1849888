import { get, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import type { TestService } from '../service/test-service.ts'

export type LiveMessage = {
  id: number | null
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
  data: any
}

/** A stream of server-sent events. `messages` has all that were received, in order. */
export type LiveStream = {
  answer: IncomingMessage
  messages: LiveMessage[]
  /** All received text, including comments. */
  text: () => string
  first: (count: number) => Promise<LiveMessage[]>
  /** Resolves when the stream has ended or its connection is closed. */
  ended: Promise<void>
  close: () => void
}

type StreamOptions = { token?: string | undefined; headers?: Record<string, string> }

export const livePath = (eventId: number): string => `/api/admin/events/${eventId}/live`

/**
 * Opens the live stream of an event. Resolves after its first bytes, so that all later events are received, or at once
 * if the status is not 200.
 */
export async function openLiveStream(
  service: TestService,
  eventId: number,
  options: StreamOptions = {},
): Promise<LiveStream> {
  const { token = service.admin.token, headers = {} } = options
  const authorization = token ? { authorization: `Bearer ${token}` } : {}
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(service.url + livePath(eventId), { agent: false, headers: { ...authorization, ...headers } }, resolve).on(
      'error',
      reject,
    )
  })
  onTestFinished(() => void answer.destroy())
  let text = ''
  const messages: LiveMessage[] = []
  const waiters = new Set<() => void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const blocks = text.split('\n\n').slice(0, -1)
    messages.splice(0, messages.length, ...blocks.flatMap(parseMessages))
    for (const check of waiters) check()
  })
  for (const name of ['end', 'close', 'error']) answer.on(name, () => end())
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isThere()) return
        waiters.delete(check)
        resolve()
      }
      waiters.add(check)
      check()
    })
  if (answer.statusCode === 200) await until(() => text !== '')
  return {
    answer,
    messages,
    text: () => text,
    first: async (count) => {
      await until(() => messages.length >= count)
      return messages.slice(0, count)
    },
    ended,
    close: () => void answer.destroy(),
  }
}

function parseMessages(block: string): LiveMessage[] {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const event = fields.get('event')
  if (event === undefined) return []
  const id = fields.get('id')
  return [{ id: id === undefined ? null : Number(id), event, data: JSON.parse(fields.get('data') ?? 'null') }]
}
