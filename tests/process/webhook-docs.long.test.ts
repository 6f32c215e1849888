import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { webhookEventTypes } from '../../contract/webhooks.ts'
import { stateAfter } from '../../server/webhooks/delivery/delivery-schedule.ts'
import { createSnippets } from '../../web/admin/webhooks/snippets.ts'
import { createPreamble, readBlock, readCodeBlocks, runShell, typeCheckScripts } from '../support/docs/snippets.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { requireOrSkip } from '../support/run/requirements.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { serviceForFile } from '../support/service/test-service.ts'
import { folderForFile } from '../support/storage/folder-for-file.ts'
import { receiverPrograms, signaturePrograms, startReceiverProgram } from '../support/webhooks/receiver-programs.ts'
import { type ReceivedDelivery, webhookReceiverForFile } from '../support/webhooks/webhook-receiver.ts'
import { createTestWebhook } from '../support/webhooks/webhooks.ts'

/** Tests docs/integrating/webhooks.md: makes its calls, and sends genuine and forged requests to its receivers. */

const root = join(import.meta.dirname, '../..')
const page = 'docs/integrating/webhooks.md'
const text = await readFile(join(root, page), 'utf8')
const service = await serviceForFile({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })
const receiver = await webhookReceiverForFile()
const { admin, api } = service

const folder = await folderForFile()
/** A real delivery about a photo, and the secret that signs it. */
let delivery: ReceivedDelivery
let secret: string

beforeAll(async () => {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const webhook = await createTestWebhook(service, { events: ['photo.uploaded'], url: receiver.url })
  secret = webhook.secret
  receiver.trust(secret)
  await uploadPhotos(api, (await createEvent(api, { customer_name: 'Ana' })).id, 1)
  const [first] = await receiver.receive(1)
  delivery = first as ReceivedDelivery
  await writeFile(join(folder, 'body.json'), delivery.body)
  await admin.delete(`/api/admin/webhooks/${webhook.id}`)
})

const shell = (script: string, env: Record<string, string> = {}) =>
  runShell(createPreamble(service) + script, { cwd: folder, env })
const [envelope = '', filter = '', slack = ''] = readCodeBlocks(page, 'json')

const keysOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).map(([key, one]) => [key, keysOf(one)]) : null

describe('the page about webhooks', () => {
  test('lists every type and every header', () => {
    const types = [...text.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, type]) => type)
    expect(types).toEqual(webhookEventTypes)
    const documented = text.toLowerCase()
    const sent = Object.keys(delivery.headers).filter((name) => /^(x-service|webhook)-/.test(name))
    expect(sent.length).toBeGreaterThan(7)
    expect(sent.filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
  })

  test('shows a real envelope', () => {
    expect(keysOf(JSON.parse(envelope))).toEqual(keysOf(delivery.json))
  })

  test('lists what each type holds besides the event', async () => {
    const rows = [...text.matchAll(/^\| `(\w+\.\w+)` \|(.*)$/gm)]
    const common = Object.keys(delivery.json.data.event)
    for (const [, event_type = '', row = ''] of rows) {
      const { data } = JSON.parse((await admin.post('/api/admin/webhooks/preview', { event_type })).body.body)
      const ofEvent = Object.keys(data.event).filter((key) => !common.includes(key))
      const further = Object.keys(data).filter((key) => key !== 'event')
      const held = [...ofEvent.map((key) => `data.event.${key}`), ...further.map((key) => `data.${key}`)]
      expect([event_type, [...row.matchAll(/data\.[\w.]+/g)].map(([path]) => path)]).toEqual([event_type, held])
    }
  })

  test('states the waits between attempts', () => {
    const failed = { result: 'unanswered', reason: '', latencyMs: null } as const
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => {
      const { next_attempt_at } = stateAfter(failed, { attempts, maxAttempts: 8, now: 0, random: () => 0.5 })
      const count = Number(next_attempt_at) / 60_000
      return count >= 60 ? `${count / 60} hours` : count === 1 ? '1 minute' : `${count} minutes`
    })
    expect(text.replace(/\s+/g, ' ')).toContain(`${waits.slice(0, -1).join(', ')} and ${waits.at(-1)},`)
  })

  test('has calls that create, test, preview and replay a webhook', async () => {
    const before = receiver.received.length
    const made = await shell(`${readBlock('create-webhook')}\necho; cat webhook.json`, { RECEIVER: receiver.url })
    const { id, secret: pageSecret } = JSON.parse(made.trim().split('\n').at(-1) ?? '')
    receiver.trust(pageSecret)
    const [tested] = (await receiver.receive(before + 1)).slice(before)
    const output = await shell(`WEBHOOK=${id}\n${readBlock('preview-webhook')}\n${readBlock('replay-webhook')}`)
    const [, replay] = (await receiver.receive(before + 2)).slice(before)
    expect(output).toContain('"body":"New: ')
    expect(output).toContain('"enqueued":true')
    expect(replay?.json).toMatchObject({ type: 'photo.uploaded', data: tested?.json.data })
    expect(replay?.json.replayed_from).toEqual(expect.any(Number))
    expect(replay?.id).not.toBe(tested?.id)
    await admin.delete(`/api/admin/webhooks/${id}`)
  })

  test('for operators has calls that create, test and replay a webhook', async () => {
    const before = receiver.received.length
    const create = readBlock('webhook-with-curl').replace('https://example.com/proofroom', receiver.url)
    const { id, secret: pageSecret } = JSON.parse(await shell(create))
    receiver.trust(pageSecret)
    const use = (block: string) => shell(block.replace('/webhooks/1/', `/webhooks/${id}/`))
    await use(readBlock('webhook-test-with-curl'))
    await receiver.receive(before + 1)
    const { body } = await admin.get(`/api/admin/webhooks/${id}/deliveries`)
    const replay = readBlock('webhook-replay-with-curl').replace('/17/', `/${body.deliveries[0].id}/`)
    expect(await use(replay)).toContain('"enqueued":true')
    await receiver.receive(before + 2)
    await admin.delete(`/api/admin/webhooks/${id}`)
  })

  test('has calls that a token makes to subscribe and unsubscribe', async () => {
    const count = async () => (await admin.get('/api/admin/webhooks')).body.length
    const before = await count()
    // No server listens at this address: the webhook is deleted before the test delivery may arrive.
    const output = await shell(readBlock('subscribe-webhook'), { RECEIVER: 'http://127.0.0.1:2/' })
    expect(output.trim().split('\n')).toEqual(['photo.uploaded', 'true'])
    expect(await count()).toBe(before)
  })

  test('has a filter that matches and a template that gives JSON', async () => {
    const [template] = readCodeBlocks(page, 'text')
    const body = { event_type: 'photo.uploaded', filter: JSON.parse(filter), template: template?.trim() }
    const response = await admin.post('/api/admin/webhooks/preview', body)
    expect(response.body).toMatchObject({ passes: true, content_type: 'application/json' })
    const [title, from, bytes] = [expect.any(String), expect.any(String), expect.any(Number)]
    expect(JSON.parse(response.body.body)).toEqual({ title, from, bytes })
  })

  test('creates a webhook for Slack in the format of Slack', async () => {
    const before = receiver.received.length
    await writeFile(join(folder, 'slack.json'), slack.replace(/https:\/\/hooks.slack.com[^"]*/, receiver.url))
    receiver.trust(JSON.parse(await shell(readBlock('create-slack-webhook'))).secret)
    const { share_url } = await createEvent(api, { event_name: 'Ana "&" Ben\\' })
    const [documented] = (await receiver.receive(before + 1)).slice(before)
    expect(documented?.json).toEqual({ text: `Ana "&" Ben\\ is online: ${share_url}` })
  })
})

describe('the signature', () => {
  test.for(signaturePrograms)(
    'is computed in one line of $name, which is also in the admin app',
    async ({ name, needs, program, flag, script, snippet }, { skip }) => {
      requireOrSkip(skip, needs)
      const [, cell = ''] = new RegExp(`^\\| ${name} \\| \`(.*)\` \\|$`, 'm').exec(text) ?? []
      const line = cell.replaceAll('\\|', '|')
      expect(createSnippets('').find(({ language }) => language === snippet)?.line).toBe(line)
      const computed = await shell(`${program} ${flag} "$SCRIPT"`, { SCRIPT: script(line), SECRET: secret })
      expect(computed.trim()).toBe(delivery.headers['x-service-signature'])
    },
  )

  test('is verified by the shell only for the saved body', async () => {
    const verify = readBlock('verify-signature')
    const SIGNATURE = String(delivery.headers['x-service-signature'])
    expect(await shell(verify, { SECRET: secret, SIGNATURE })).toBe('genuine\n')
    await expect(shell(`echo >> body.json\n${verify}`, { SECRET: secret, SIGNATURE })).rejects.toThrow()
    await writeFile(join(folder, 'body.json'), delivery.body)
  })
})

describe('the receiver', () => {
  test('in TypeScript compiles', async () => {
    await writeFile(join(folder, 'receiver.mts'), readBlock('receiver-typescript'))
    await typeCheckScripts('receiver.mts', folder)
  })

  test.for(receiverPrograms)('in $name accepts only genuine and recent requests', async (program, { skip }) => {
    requireOrSkip(skip, program.needs)
    await writeFile(join(folder, `receiver.${program.extension}`), program.read())
    const port = await reservePort()
    const url = `http://127.0.0.1:${port}/`
    const event_name = `Ana & ${program.name}`
    const webhook = await createTestWebhook(service, {
      events: ['event.created'],
      url,
      filter: { 'data.event.event_name': event_name },
    })
    const output = await startReceiverProgram(program, { cwd: folder, port, secret: webhook.secret })
    await createEvent(api, { event_name })
    await expect.poll(output).toContain(`event.created ${event_name}`)

    const lastSuccess = async () => (await admin.get(`/api/admin/webhooks/${webhook.id}`)).body.last_success_at
    await expect.poll(lastSuccess).not.toBeNull()

    const { id, body: genuine } = delivery
    const post = async ({ body = genuine, key = webhook.secret, agoMs = 0 }) => {
      const at = new Date(Date.now() - agoMs)
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(key).sign(id, at, genuine),
      }
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    expect(await post({})).toBe(204)
    expect(await post({ body: `${genuine} ` })).toBe(401)
    expect(await post({ key: secret })).toBe(401)
    expect(await post({ agoMs: 600_000 })).toBe(401)
    expect((await fetch(url, { method: 'POST', body: genuine })).status).toBe(401)
  })
})
