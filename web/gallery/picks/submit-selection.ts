import type { SelectionBody, SelectionReply } from '../../../contract/gallery/guests.ts'
import { waitingMarks } from '../marks/mark-queue.ts'
import { call, Unreachable } from '../state/api.ts'
import { createIdempotencyKey } from '../state/idempotency-key.ts'

const timeoutMs = 15_000

let last: { text: string; key: string } | null = null

/** Waits until all marks are sent. Throws as `call` does, and Unreachable while marks still wait. */
export async function submitSelection(body: SelectionBody): Promise<SelectionReply> {
  await waitForMarks()
  const text = JSON.stringify(body)
  if (last?.text !== text) last = { text, key: createIdempotencyKey() }
  const reply = await call<typeof SelectionReply>('/selection', { body, headers: { 'idempotency-key': last.key } })
  last = null
  return reply
}

function waitForMarks(): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop()
      reject(new Unreachable())
    }, timeoutMs)
    const stop = waitingMarks.subscribe((count) => {
      if (count > 0) return
      clearTimeout(timer)
      // `subscribe` may call back synchronously, before `stop` is assigned.
      queueMicrotask(() => stop())
      resolve()
    })
  })
}
