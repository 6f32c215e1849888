import { webhookEnvelopes } from '../../contract/webhook-envelopes.ts'
import { type WebhookEventType, webhookEventDescriptions, webhookEventTypes } from '../../contract/webhooks.ts'
import { sampleEnvelope } from '../webhooks/envelopes.ts'
import type { Components } from './components.ts'

const headers = {
  'webhook-id': 'The `id` of the envelope: the same for all attempts',
  'webhook-timestamp': 'The time of this attempt, in seconds since 1970',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; the key is the secret, decoded from base64',
  'X-Service-Signature': 'The hex HMAC-SHA256 of the body; the key is the text of the secret',
  'X-Service-Event': 'The type',
  'X-Service-Delivery': 'The same as `webhook-id`',
  'X-Service-Timestamp': 'The same as `webhook-timestamp`',
  'X-Service-Sequence': 'Increases with every delivery of a webhook',
}

const parameters = Object.entries(headers).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

const responses = {
  '2XX': { description: 'The delivery is successful' },
  '410': { description: 'The delivery fails and is not tried again' },
  '4XX': { description: 'The delivery is tried again; so it is after any other response, and after 10 seconds' },
}

/** A fixed time, so that the document is always the same. */
const exampleTime = Date.UTC(2027, 5, 20, 9, 12, 44, 518)
const exampleId = '6f1c2a64-0f0b-4a53-9d3c-6a6f8a7f2f10'

/** Returns the operations that receivers of webhooks have, by event type. */
export const describeDeliveries = (components: Components): Record<string, object> =>
  Object.fromEntries(webhookEventTypes.map((type) => [type, { post: describeDelivery(type, components) }]))

function describeDelivery(type: WebhookEventType, components: Components): object {
  const example = { ...sampleEnvelope(type, exampleTime), id: exampleId }
  return {
    operationId: `receive${type.replace(/(^|\.)./g, (start) => start.replace('.', '').toUpperCase())}`,
    tags: ['deliveries'],
    summary: webhookEventDescriptions[type],
    description:
      'Sent to each webhook that has this type in its `events`. A webhook with a template gets another body.',
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.schema(webhookEnvelopes[type]),
          examples: { sample: components.example(`${type}.sample`, example) },
        },
      },
    },
    responses,
  }
}
