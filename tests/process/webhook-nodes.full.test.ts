import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { readDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'
import { countOccurrences, rejectSomeOnce } from '../support/webhooks/expected-attempts.ts'
import { respondSlowly, webhookReceiverForTest } from '../support/webhooks/webhook-receiver.ts'
import { createTestWebhook } from '../support/webhooks/webhooks.ts'

const deliveries = isLongRun ? 2_000 : 600
const webhooks = 4
const workersPerNode = 3
const nodes = ['Alpha', 'Beta'] as const

test(`two processes on one database send no attempt of ${deliveries} deliveries twice`, async () => {
  const expectedAttempts = new Map<string, number>()
  const receiver = await webhookReceiverForTest({ respond: respondSlowly(5, rejectSomeOnce(expectedAttempts)) })
  const dataDir = join(await temporaryFolder(), 'data')
  const first = await startNode(dataDir, nodes[0])
  const second = await startNode(dataDir, nodes[1])
  const login = { username: 'admin', password: adminPassword }
  const { body } = await createClient(first.url).post('/api/auth/admin/login', login)
  const service = { dataDir, admin: createClient(first.url, body.token) } as TestService
  const token = await service.admin.post('/api/admin/api-tokens', { name: 'test', scopes: ['write'] })
  for (let index = 0; index < webhooks; index++) {
    const { secret } = await createTestWebhook(service, { events: ['event.created'], url: `${receiver.url}/${index}` })
    receiver.trust(secret)
  }

  const create = async (url: string) => {
    const api = createClient(url, token.body.token)
    const changes = Math.ceil(deliveries / webhooks / nodes.length / workersPerNode)
    for (let index = 0; index < changes; index++) await createEvent(api, { is_draft: true })
  }
  const urls = [first.url, second.url].flatMap((url) => Array.from({ length: workersPerNode }, () => url))
  await Promise.all(urls.map(create))
  const attempts = () =>
    readDatabase(service, (stored) =>
      stored
        .prepare<[], { envelope_id: string; status: string; attempt_count: number }>(
          'select envelope_id, status, attempt_count from webhook_deliveries',
        )
        .all(),
    )
  const open = () => attempts().filter(({ status }) => status !== 'success').length
  await expect.poll(open, { timeout: 40_000, interval: 200 }).toBe(0)

  const { received } = receiver
  expect(expectedAttempts.size).toBeGreaterThanOrEqual(deliveries)
  expect(countOccurrences(received.map(({ id }) => id))).toEqual(expectedAttempts)
  expect(new Map(attempts().map((row) => [row.envelope_id, row.attempt_count]))).toEqual(expectedAttempts)
  expect([...expectedAttempts.values()].filter((count) => count === 2).length).toBeGreaterThan(deliveries / 100)
  for (const node of nodes) {
    const sent = received.filter(({ headers }) => headers[`x-${node.toLowerCase()}-delivery`] !== undefined)
    expect(sent.length).toBeGreaterThan(deliveries / 10)
  }
}, 90_000)

async function startNode(dataDir: string, name: string) {
  const environment = {
    ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_PRIVATE_URLS: 'true',
    WEBHOOK_HEADER_ALIAS: name,
  }
  const node = await startByNode({ dataDir, environment })
  onTestFinished(() => node.end('SIGKILL'))
  return node
}
