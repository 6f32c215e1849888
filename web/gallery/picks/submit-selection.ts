import type { SelectionBody, SelectionReply } from '../../../contract/guests.ts'
import { waitingMarks } from '../marks/mark-queue.ts'
import { call, Unreachable } from '../state/api.ts'
import { onceKey } from '../state/once-key.ts'

/** So long a connection is waited for, before the guest is asked to try again. */
const patienceMs = 15_000

let last: { text: string; key: string } | null = null

/**
 * Hands in the picks once all marks have arrived: what is handed in is what the guest sees. Sent again after an answer
 * that was lost it is the same selection. Throws as `call` does; Unreachable too while marks still wait.
 */
export async function submitSelection(body: SelectionBody): Promise<SelectionReply> {
  await marksToArrive()
  const text = JSON.stringify(body)
  if (last?.text !== text) last = { text, key: onceKey() }
  const reply = await call<typeof SelectionReply>('/selection', { body, headers: { 'idempotency-key': last.key } })
  last = null
  return reply
}

function marksToArrive(): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop()
      reject(new Unreachable())
    }, patienceMs)
    const stop = waitingMarks.subscribe((count) => {
      if (count > 0) return
      clearTimeout(timer)
      // Not in the very call that makes `stop`.
      queueMicrotask(() => stop())
      resolve()
    })
  })
}
