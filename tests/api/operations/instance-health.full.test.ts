import { describe, expect, test } from 'vitest'
import type { HealthItem, InstanceHealth } from '../../../contract/instance/health.ts'
import { detectIsolation } from '../../../server/platform/media/video/isolation.ts'
import { FileMissing } from '../../../server/platform/storage/storage.ts'
import { minutes } from '../../../server/platform/time/clock.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { allowVideos } from '../../support/media/videos.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'
import { answer, neverRespond, webhookReceiverForTest } from '../../support/webhooks/webhook-receiver.ts'
import { createTestWebhook } from '../../support/webhooks/webhooks.ts'

const service = await sharedService()
const { admin } = service

async function loadHealth(client: TestClient = admin, headers = {}): Promise<InstanceHealth> {
  const { status, body } = await client.get('/api/admin/health', headers)
  expect(status).toBe(200)
  return body
}

function getItem({ items }: InstanceHealth, key: string): HealthItem {
  const found = items.find((item) => item.key === key)
  if (!found) throw new Error(`There is no ${key}`)
  return found
}

describe('GET /api/admin/health', () => {
  test('describes the state of each item, and the solution of each problem', async () => {
    // Its own service, because tests of the shared one remove originals.
    const own = await serviceForTest()
    const before = Date.now()
    const health = await loadHealth(own.admin)
    expect(health).toMatchObject({ version: expect.stringMatching(/^\d/), node: process.versions.node })
    expect(Date.parse(health.checked_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(health.checked_at)).toBeLessThanOrEqual(Date.now())
    expect(Date.parse(health.started_at)).toBeLessThan(Date.parse(health.checked_at))
    const keys = ['database', 'nodes', 'storage', 'disk', 'sweep', 'lost_and_found', 'backup', 'mail', 'webhooks']
    const others = ['address', 'proxy', 'secrets', 'image_workers', 'imports', 'videos', 'decoders']
    expect(health.items.map(({ key }) => key)).toEqual([...keys, ...others])
    for (const { key, status, text, fix } of health.items) {
      expect(text, key).toMatch(/^\S.*\w\.$/)
      if (status === 'ok') expect(fix, key).toBeNull()
      else expect(fix, key).toMatch(/\w+ \w+/)
    }
    expect(getItem(health, 'database').status).toBe('ok')
    expect(getItem(health, 'storage').status).toBe('ok')
    expect(getItem(health, 'mail')).toMatchObject({ status: 'warn', facts: { is_configured: false } })
    expect(getItem(health, 'address').status).toBe('warn')
    expect(health.status).toBe('warn')

    const loadOwn = async (key: string) => getItem(await loadHealth(own.admin), key)
    expect((await loadOwn('decoders')).facts).toEqual({ is_needed: false })
    await allowVideos(own)
    // The first check starts a process and may take too long. Later ones have its result.
    await expect.poll(async () => (await loadOwn('decoders')).facts).not.toEqual({})
    const { facts, text } = await loadOwn('decoders')
    expect(facts).toEqual({ is_needed: true, is_ffmpeg_found: false, isolation: await detectIsolation() })
    expect(text).toContain('neutral picture')
    expect(text).toContain(facts.isolation === 'sandbox' ? 'without network access' : 'resource limits only')

    await uploadPhotos(own.api, (await createEvent(own.api)).id, 1)
    await changeDatabase(own, (stored) =>
      stored.exec("update photos set media_type = 'video', processing_status = 'failed'"),
    )
    const failed = { text: "1 video couldn't be read and has no still.", facts: { failed: 1 } }
    expect(await loadOwn('videos')).toMatchObject({ ...failed, status: 'warn' })
    expect(await loadOwn('lost_and_found')).toMatchObject({ status: 'ok', facts: { files: 0 } })
  })

  test('returns German text with German numbers, and English for an unknown language', async () => {
    const loadItems = async (language: string) => {
      const { items }: InstanceHealth = (await admin.get(`/api/admin/health?language=${language}`)).body
      return items
    }
    // A node that has just started may not be connected to the others yet.
    await expect.poll(async () => getItem(await loadHealth(), 'nodes').status).toBe('ok')
    const [english, german, unknown] = [await loadItems('en'), await loadItems('de'), await loadItems('tlh')]
    expect(german.map(({ key, status }) => [key, status])).toEqual(english.map(({ key, status }) => [key, status]))
    for (const [index, { key, text, fix }] of english.entries()) {
      expect(german[index]?.text, key).not.toBe(text)
      if (fix !== null) expect(german[index]?.fix, key).not.toBe(fix)
      if (key !== 'disk') expect(unknown[index]?.text, key).toBe(text)
    }
    const size = String.raw`\d+(,\d)? [KMGTP]B`
    expect(german.find(({ key }) => key === 'disk')?.text).toMatch(new RegExp(` ${size} von ${size} sind frei`))
  })

  test('fails if the storage is unreachable or the disk is full, and reveals neither path nor secret', async () => {
    const broken = await serviceForTest({
      environment: { PUBLIC_URL: 'https://photos.example.com', JWT_SECRET: 'a secret of more than thirty-two letters' },
      edges: {
        wrapStorage: (storage) => ({
          ...storage,
          check: async () => Promise.reject(new Error('gone')),
          space: async () => ({ ...(await storage.space()), freeBytes: 5e8, totalBytes: 1e12 }),
        }),
      },
    })
    const health = await loadHealth(broken.admin)
    expect(health.status).toBe('fail')
    expect(getItem(health, 'storage').status).toBe('fail')
    expect(getItem(health, 'disk')).toMatchObject({ status: 'fail', facts: { free_bytes: 5e8, total_bytes: 1e12 } })
    expect(getItem(health, 'disk').text).toContain('500 MB of 1.0 TB')
    expect(getItem(health, 'address')).toMatchObject({ status: 'ok', facts: { origin: 'https://photos.example.com' } })
    expect(getItem(health, 'secrets').facts).toEqual({ generated: 'ENCRYPTION_KEY' })
    expect(JSON.stringify(health)).not.toMatch(/thirty-two letters|\/tmp\//)
  })

  test('fails if the storage has no originals, as in a wrong bucket, and reports a check that throws', async () => {
    const lost = await serviceForTest({
      edges: {
        wrapStorage: (storage) => ({
          ...storage,
          openReader: (key) => Promise.reject(new FileMissing(key)),
          space: () => Promise.reject(new Error('odd')),
        }),
      },
    })
    const health = await loadHealth(lost.admin)
    expect(getItem(health, 'storage').status).toBe('ok')
    expect(getItem(health, 'disk')).toMatchObject({ status: 'fail', fix: expect.stringContaining('log') })
    await uploadPhotos(lost.api, (await createEvent(lost.api)).id, 3)
    const item = getItem(await loadHealth(lost.admin), 'storage')
    expect(item).toMatchObject({ status: 'fail', text: expect.stringContaining('lacks 2 of 2 originals') })
  })

  test('reports mail that waits too long and mail that failed', async () => {
    const mailing = await serviceForTest({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    const loadItem = async () => getItem(await loadHealth(mailing.admin), 'mail')
    const set = (change: string) => changeDatabase(mailing, (stored) => stored.exec(`update mails set ${change}`))
    expect(await loadItem()).toMatchObject({ status: 'ok', facts: { queued: 0, failed: 0 } })
    await createEvent(mailing.api, { customer_email: 'ana@example.com' })
    await set(`status = 'failed', next_attempt_at = null`)
    expect(await loadItem()).toMatchObject({ status: 'warn', facts: { queued: 0, failed: 1 } })
    const queued = `status = 'queued', next_attempt_at = ${Date.now() + 1e7}`
    await set(`${queued}, attempts = 2`)
    const retried = "1 email couldn't be sent after several attempts, and is tried again."
    expect(await loadItem()).toMatchObject({ status: 'warn', text: retried })
    await set(`${queued}, created_at = ${Date.now() - 2 * 3_600_000}`)
    const { facts, text } = await loadItem()
    expect(facts).toMatchObject({ queued: 1, failed: 0, oldest_queued_at: expect.stringMatching(/Z$/) })
    expect(text).toBe('1 email has been queued for more than an hour.')
  })

  test('reports webhooks that fail repeatedly and deliveries that wait too long', async () => {
    const clock = createMovableClock()
    const own = await serviceForTest({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' }, edges: { clock } })
    const receiver = await webhookReceiverForTest({ respond: answer(500), clock })
    const loadWebhookItem = async () => getItem(await loadHealth(own.admin), 'webhooks')
    expect(await loadWebhookItem()).toMatchObject({ status: 'ok', facts: { active: 0, failing: 0, overdue: 0 } })

    async function sendSamples(name: string, count: number) {
      const { id, secret } = await createTestWebhook(own, { name, url: receiver.url })
      receiver.trust(secret)
      for (let sent = 1; sent <= count; sent++) await own.admin.post(`/api/admin/webhooks/${id}/test`, {})
    }
    await sendSamples('Slack', 4)
    await receiver.receive(4)
    expect(await loadWebhookItem()).toMatchObject({ status: 'ok', text: '1 webhook is active.' })
    await sendSamples('n8n', 5)
    const failing = { active: 2, failing: 1, failing_names: 'n8n', overdue: 0 }
    const text = '1 webhook fails repeatedly: n8n.'
    await expect.poll(loadWebhookItem).toMatchObject({ status: 'warn', text, facts: failing })

    receiver.respond = neverRespond
    await sendSamples('Slow', 2)
    await receiver.receive(10)
    clock.advance(minutes(6))
    expect(await loadWebhookItem()).toMatchObject({
      status: 'warn',
      text: '2 webhook deliveries are more than 5 minutes overdue.',
      facts: { failing: 1, overdue: 2 },
    })
  })
})

describe('the origin and address of a request', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'p.example' }

  test('are those of an untrusted proxy, with a warning', async () => {
    const { body } = await admin.get('/api/admin/health/proxy', forwarded)
    expect(body).toMatchObject({ scheme: 'http', host: new URL(service.url).host, address: '127.0.0.1' })
    expect(body).toMatchObject({ trust_proxy: 'off', public_url: null, forwarding_headers: Object.keys(forwarded) })
    expect(getItem(await loadHealth(admin, forwarded), 'proxy')).toMatchObject({ status: 'warn' })
    expect(getItem(await loadHealth(), 'proxy')).toMatchObject({ status: 'ok' })
  })

  test('are those of the client of a trusted proxy', async () => {
    const trusting = await serviceForTest({ environment: { TRUST_PROXY: '1', PUBLIC_URL: 'https://p.example' } })
    const { body } = await trusting.admin.get('/api/admin/health/proxy', forwarded)
    expect(body).toEqual({
      ...{ scheme: 'https', host: 'p.example', address: '203.0.113.9', peer_address: '127.0.0.1' },
      ...{ public_url: 'https://p.example', trust_proxy: '1', forwarding_headers: Object.keys(forwarded) },
      now: expect.stringMatching(/Z$/),
    })
    expect(getItem(await loadHealth(trusting.admin, forwarded), 'proxy')).toMatchObject({ status: 'ok' })
    expect(getItem(await loadHealth(trusting.admin), 'proxy')).toMatchObject({ status: 'warn' })
  })
})
