import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../../clients/typescript/source/index.ts'
import { deliveryHeaders } from '../../../server/webhooks/delivery/sign-delivery.ts'
import { sampleEnvelope } from '../../../server/webhooks/envelopes.ts'

const secret = Buffer.alloc(32, 7).toString('base64')
const otherSecret = Buffer.alloc(32, 8).toString('base64')
const now = Date.UTC(2027, 5, 20)
const body = JSON.stringify(sampleEnvelope('photo.uploaded', now))
let headers: Record<string, string>
beforeAll(() => {
  const row = { id: 7, event_type: 'photo.uploaded', envelope_id: JSON.parse(body).id } as const
  headers = deliveryHeaders({ row, body, contentType: 'application/json', secret, alias: 'Acme', now })
})

/** Returns the reason of the error, or the type of the verified envelope. */
const verify = (...[raw, given, key, options]: Parameters<typeof verifyWebhook>) =>
  verifyWebhook(raw, given, key, { now, ...options }).then(
    ({ type }) => type,
    (error) => (error instanceof WebhookVerificationError ? error.reason : Promise.reject(error)),
  )

describe('a signed message', () => {
  test('is genuine as text, bytes or a buffer, and has an envelope whose data depend on its type', async () => {
    for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body).buffer]) {
      expect(await verify(raw, headers, secret)).toBe('photo.uploaded')
      expect(await verify(raw, new Headers(headers), secret)).toBe('photo.uploaded')
    }
    const envelope = await verifyWebhook(body, headers, secret, { now })
    if (envelope.type !== 'photo.uploaded') throw new Error(envelope.type)
    const name: string = envelope.data.photo.original_filename
    expect(name).toBe('IMG_0001.jpg')
  })

  test('is not genuine if body, id, time or secret differ', async () => {
    expect(await verify(body.replace('Ana', 'Eve'), headers, secret)).toBe('wrong_signature')
    expect(await verify(body, { ...headers, 'webhook-id': 'another' }, secret)).toBe('wrong_signature')
    const later = String(now / 1000 + 60)
    expect(await verify(body, { ...headers, 'webhook-timestamp': later }, secret)).toBe('wrong_signature')
    expect(await verify(body, headers, otherSecret)).toBe('wrong_signature')
    for (const signature of ['v1,', 'v1,###', 'v2,AAAA', 'AAAA']) {
      expect(await verify(body, { ...headers, 'webhook-signature': signature }, secret)).toBe('wrong_signature')
    }
  })

  test('is accepted with one of two secrets, and with one of two signatures', async () => {
    expect(await verify(body, headers, [otherSecret, secret])).toBe('photo.uploaded')
    const two = `v1,AAAA ${headers['webhook-signature']}`
    expect(await verify(body, { ...headers, 'webhook-signature': two }, secret)).toBe('photo.uploaded')
  })

  test('is outdated after five minutes, or after what the receiver allows', async () => {
    expect(await verify(body, headers, secret, { now: now + 300_000 })).toBe('photo.uploaded')
    expect(await verify(body, headers, secret, { now: now + 301_000 })).toBe('outdated')
    expect(await verify(body, headers, secret, { now: now - 301_000 })).toBe('outdated')
    expect(await verify(body, headers, secret, { now: now + 11_000, toleranceSeconds: 10 })).toBe('outdated')
    expect(await verify(body, { ...headers, 'webhook-timestamp': 'NaN' }, secret)).toBe('outdated')
  })

  test('without its headers is not accepted by its other signature, unless the receiver chooses it', async () => {
    const { 'webhook-id': _id, 'webhook-timestamp': _time, 'webhook-signature': _signature, ...plain } = headers
    expect(await verify(body, plain, secret)).toBe('missing_header')
    expect(await verify(body, {}, secret, { signatureHeader: 'X-Service-Signature' })).toBe('missing_header')
    for (const signatureHeader of ['X-Service-Signature', 'x-acme-signature']) {
      expect(await verify(body, plain, secret, { signatureHeader })).toBe('photo.uploaded')
      expect(await verify(`${body} `, plain, secret, { signatureHeader })).toBe('wrong_signature')
      expect(await verify(body, plain, otherSecret, { signatureHeader })).toBe('wrong_signature')
    }
    const hex = { 'x-service-signature': 'no hex' }
    expect(await verify(body, hex, secret, { signatureHeader: 'x-service-signature' })).toBe('wrong_signature')
    for (const empty of ['', []]) await expect(verify(body, headers, empty)).rejects.toThrow('secret')
  })

  test('of a template that is not JSON is genuine, but has no envelope', async () => {
    const text = 'New: IMG_0001.jpg'
    const signature = createHmac('sha256', secret).update(text).digest('hex')
    const given = { 'x-service-signature': signature }
    expect(await verify(text, given, secret, { signatureHeader: 'X-Service-Signature' })).toBe('not_json')
  })

  test('of another sender of Standard Webhooks is verified too, with the prefix of its secret', async () => {
    const date = new Date(now)
    const signature = new Webhook(`whsec_${secret}`).sign('msg_1', date, body)
    const given = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(now / 1000), 'webhook-signature': signature }
    expect(await verify(body, given, `whsec_${secret}`)).toBe('photo.uploaded')
  })
})
