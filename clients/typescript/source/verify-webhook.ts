import type { webhooks } from './public-api.ts'

export type WebhookType = keyof webhooks

type BodyOf<Hook> = Hook extends { post: { requestBody: { content: { 'application/json': infer Body } } } }
  ? Body
  : never

/** A message of a webhook without a template. `type` says what `data` has. */
export type WebhookEnvelope = { [Type in WebhookType]: BodyOf<webhooks[Type]> }[WebhookType]

export type VerifyOptions = {
  /** How old a message may be, and how far the clocks may differ; the default is 300. */
  toleranceSeconds?: number
  /**
   * Verifies the hex signature in this header, such as `X-Service-Signature`, instead of the three `webhook-` headers. It does
   * not cover the time, so `toleranceSeconds` has no effect and a recorded message stays valid.
   */
  signatureHeader?: string
  /** Epoch milliseconds, for tests. */
  now?: number
}

type HeaderValues = Headers | Record<string, string | readonly string[] | undefined>

export class WebhookVerificationError extends Error {
  readonly reason: 'missing_header' | 'outdated' | 'wrong_signature' | 'not_json'
  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}

/**
 * Returns the envelope of a genuine message. `rawBody` is the body exactly as it arrived. Pass several secrets while
 * one replaces another. Throws WebhookVerificationError.
 */
export async function verifyWebhook(
  rawBody: string | ArrayBuffer | Uint8Array,
  headers: HeaderValues,
  secret: string | readonly string[],
  { toleranceSeconds = 300, signatureHeader, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEnvelope> {
  const body = toBytes(rawBody)
  const secrets = [secret].flat() as string[]
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('The secret is empty.')
  const isGenuine =
    signatureHeader === undefined
      ? await verifyStandard(body, headers, secrets, { toleranceSeconds, now })
      : await verifyPlain(body, getHeader(headers, signatureHeader), secrets)
  if (!isGenuine) throw new WebhookVerificationError('wrong_signature', 'The signature is not of this body and secret.')
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEnvelope
  } catch {
    throw new WebhookVerificationError('not_json', 'The message is genuine, but its body is not JSON.')
  }
}

/** Standard Webhooks: `v1,` and the base64 HMAC of `id.timestamp.body`, several separated by spaces. */
async function verifyStandard(
  body: Uint8Array<ArrayBuffer>,
  headers: HeaderValues,
  secrets: string[],
  { toleranceSeconds, now }: { toleranceSeconds: number; now: number },
): Promise<boolean> {
  const id = getHeader(headers, 'webhook-id')
  const timestamp = getHeader(headers, 'webhook-timestamp')
  const given = getHeader(headers, 'webhook-signature')
  // A timestamp that is not a number is never within the tolerance.
  const isTimely = /^\d+$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds
  if (!isTimely) throw new WebhookVerificationError('outdated', `The message is of another time: ${timestamp}.`)
  const prefix = toBytes(`${id}.${timestamp}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  const signatures = given.split(' ').flatMap((one) => (one.startsWith('v1,') ? [fromBase64(one.slice(3))] : []))
  return isAnySigned(
    signed,
    signatures,
    secrets.map((one) => fromBase64(one.replace(/^whsec_/, ''))),
  )
}

const verifyPlain = (body: Uint8Array<ArrayBuffer>, given: string, secrets: string[]): Promise<boolean> =>
  isAnySigned(body, [fromHex(given)], secrets.map(toBytes))

/** Compares in constant time. */
async function isAnySigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: Uint8Array<ArrayBuffer>[],
  keys: Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  for (const bytes of keys) {
    if (bytes.length === 0) continue
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

function getHeader(headers: HeaderValues, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  const text = typeof value === 'string' ? value : value?.[0]
  if (!text) throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`)
  return text
}

function toBytes(value: string | ArrayBuffer | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof value === 'string') return new TextEncoder().encode(value)
  return new Uint8Array(value)
}

/** Returns no bytes for text that is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** Returns no bytes for text that is not hex. */
const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  /^([0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : new Uint8Array()
