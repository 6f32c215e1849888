import type { SelectionBody, SelectionReply } from '../../../contract/gallery/selections.ts'
import { Unreachable } from '../../shared/api-error.ts'
import { waitingMarks } from '../marks/own-marks.ts'
import { roundHooks } from '../marks/round-hooks.ts'
import { call } from '../state/api.ts'

const markTimeoutMs = 15_000

/**
 * Waits until all marks are sent. The request continues if the page closes. Throws ApiError, or Unreachable if no
 * response of the service arrives or marks wait too long.
 */
export async function submitSelection(body: SelectionBody, key: string): Promise<SelectionReply> {
  // Without waiting marks, the request must begin before the page is left.
  if (waitingMarks.peek() > 0) await waitForMarks()
  const seen = roundHooks.peek()?.confirmRevision()
  const revision = typeof seen === 'object' ? await seen : seen
  const reply = await call<typeof SelectionReply>('/selection', {
    body: revision === undefined ? body : { ...body, revision },
    headers: { 'idempotency-key': key },
    keepalive: true,
  })
  // A captive portal also responds with 200.
  if (reply.success !== true) throw new Unreachable()
  return reply
}

function waitForMarks(): Promise<void> {
  if (!navigator.onLine) return Promise.reject(new Unreachable())
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop()
      reject(new Unreachable())
    }, markTimeoutMs)
    const stop = waitingMarks.subscribe((count) => {
      if (count > 0) return
      clearTimeout(timer)
      // `subscribe` may call back synchronously, before `stop` is assigned.
      queueMicrotask(() => stop())
      resolve()
    })
  })
}
