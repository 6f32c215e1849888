import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { rawReceiverForTest, respondWithLines } from '../../../tests/support/webhooks/raw-receiver.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { DeliveryRow } from '../delivery-rows.ts'
import { secretPurpose } from '../webhook-rows.ts'
import { createDeliveryAttempts } from './delivery-attempts.ts'

/** Returns a delivery for a new webhook. */
async function queueFor({ db, encryption }: AppContext, url: string): Promise<DeliveryRow> {
  const secret = encryption.encrypt('a secret', secretPurpose)
  const names = { name: 'Test', events: '[]', filter: '{}', secret_preview: '' }
  const webhook = await db
    .insertInto('webhooks')
    .values({ ...names, url, secret, active: 1, consecutive_failures: 0, created_at: 0, updated_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const envelope = { event_type: 'photo.uploaded' as const, envelope_id: 'an id', envelope: '{}' }
  const pending = { status: 'pending' as const, attempt_count: 0, next_attempt_at: 0, created_at: 0 }
  return db
    .insertInto('webhook_deliveries')
    .values({ ...envelope, ...pending, webhook_id: webhook.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the connection of each HTTP request of this process, from now on. */
function recordSockets(): Socket[] {
  const sockets: Socket[] = []
  const record = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    request.once('socket', (socket) => sockets.push(socket))
  }
  subscribe('http.client.request.created', record)
  onTestFinished(() => void unsubscribe('http.client.request.created', record))
  return sockets
}

test('at the end all connections to receivers are closed, of both protocols', async () => {
  const ctx = await contextForTest({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })
  const plain = await rawReceiverForTest(respondWithLines('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok'))
  const secure = await rawReceiverForTest(() => {}, { isSecure: true })
  const attempts = createDeliveryAttempts(ctx, () => {})
  const sockets = recordSockets()
  const ended: unknown[] = []
  const sendTo = async (url: string) => {
    const count = ended.length
    attempts.begin([await queueFor(ctx, url)])
    await expect.poll(() => ended.push(...attempts.takeCompleted()), { timeout: 60_000 }).toBe(count + 1)
  }
  // The certificate is not valid for this address.
  await sendTo(`https://127.0.0.1:${secure.port}/hook`)
  await sendTo(`http://127.0.0.1:${plain.port}/hook`)
  expect(ended).toMatchObject([{ outcome: { result: 'unanswered' } }, { outcome: { result: 'answered' } }])
  expect(sockets).toHaveLength(2)
  await attempts.end(1)
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true])
})
