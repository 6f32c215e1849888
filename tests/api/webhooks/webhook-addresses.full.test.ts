import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { rawReceiverForTest, respondWithLines } from '../../support/webhooks/raw-receiver.ts'

const publicAddress = '93.184.215.14'

/** The IP addresses of each host name. Other host names do not resolve. */
const addressesByName = new Map<string, string[]>()

const service = await serviceForFile({
  edges: {
    async resolve(name) {
      const addresses = addressesByName.get(name)
      if (!addresses) throw new Error('No such name')
      return addresses.map((address) => ({ address, family: 4 }))
    },
  },
})

const fields = { name: 'Test', events: ['photo.uploaded'] }

async function create(url: string): Promise<string> {
  const { status, body } = await service.admin.post('/api/admin/webhooks', { ...fields, url })
  expect(status).toBe(201)
  return `/api/admin/webhooks/${body.id}`
}

async function loadFirstAttempt(webhook: string) {
  const { body } = await service.admin.post(`${webhook}/test`, {})
  const detail = async () => (await service.admin.get(`${webhook}/deliveries/${body.delivery_id}`)).body
  await expect.poll(async () => (await detail()).last_error).not.toBeNull()
  return detail()
}

beforeEach(() => {
  addressesByName.clear()
  addressesByName.set('hooks.example.com', [publicAddress])
})

describe('the URL of a webhook', () => {
  const hostile = [
    'http://127.0.0.1:8080/hook',
    'http://2130706433/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
    'https://user:secret@hooks.example.com/',
    'ftp://hooks.example.com/',
    'https://hooks.example.com:22/',
    'https://mixed.example.com/',
  ]

  test('is rejected on create and on change if it leads to a private address or has a credential', async () => {
    addressesByName.set('mixed.example.com', [publicAddress, '10.0.0.1'])
    const webhook = await create('https://hooks.example.com/hook')
    for (const url of hostile) {
      expectInvalidField(await service.admin.post('/api/admin/webhooks', { ...fields, url }), 'url')
      const answer = await service.admin.put(webhook, { url })
      expectInvalidField(answer, 'url')
      expect(JSON.stringify(answer.body)).not.toMatch(/10\.0\.0\.1|secret/)
    }
    expect((await service.admin.get(webhook)).body.url).toBe('https://hooks.example.com/hook')
  })

  test('may be a public address, or a name that does not resolve yet', async () => {
    for (const url of ['https://hooks.example.com/hook', 'http://8.8.8.8:8080/', 'https://soon.example.com/']) {
      const webhook = await create(url)
      expect((await service.admin.put(webhook, { url })).status).toBe(200)
    }
  })
})

describe('each attempt resolves the name again', () => {
  test('to a private address: the delivery fails at once, and nothing is sent', async () => {
    const receiver = await rawReceiverForTest(respondWithLines('HTTP/1.1 200 OK', 'Content-Length: 0', '', ''))
    const webhook = await create(`http://hooks.example.com:${receiver.port}/hook`)
    addressesByName.set('hooks.example.com', ['127.0.0.1'])
    expect(await loadFirstAttempt(webhook)).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      response_status: null,
      next_retry_at: null,
      last_error:
        'The URL of the receiver must not lead to a private or reserved address (set WEBHOOK_ALLOW_PRIVATE_URLS to allow this).',
    })
    expect(receiver.connectedAt).toEqual([])
  })

  test('to no address: the delivery is retried', async () => {
    const webhook = await create('https://hooks.example.com/hook')
    addressesByName.clear()
    const delivery = await loadFirstAttempt(webhook)
    expect(delivery).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      last_error: 'The host name of the receiver cannot be resolved.',
      next_retry_at: expect.stringMatching(/Z$/),
    })
  })
})
