type Schema = { type: 'string' | 'integer'; const?: string }
type Header = { description: string; required?: true; schema: Schema }

/** A header that is never missing from a response for which the OpenAPI description lists it. */
const always = (description: string, schema: Schema) => ({ description, required: true, schema }) as const

/** Response headers for the OpenAPI description. */
export const responseHeaders = {
  'X-Request-Id': always(
    'Identifies this request in the log of the service: the one that you sent, or a new one. Include it when you ask for help',
    {
      type: 'string',
    },
  ),
  'WWW-Authenticate': always('The required scheme', { type: 'string', const: 'Bearer' }),
  'Retry-After': { description: 'Number of seconds after which to try again', schema: { type: 'integer' } },
  'RateLimit-Limit': { description: 'Number of requests per window', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Number of requests left in this window', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Number of seconds to the end of this window', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: 'This is the response to an earlier call with this Idempotency-Key; nothing was repeated',
    schema: { type: 'string', const: 'true' },
  },
  ETag: always('A strong validator of the content; for If-None-Match and If-Range', { type: 'string' }),
  'Accept-Ranges': always('Byte ranges are supported', { type: 'string', const: 'bytes' }),
  'Content-Range': always(
    'The sent bytes and the size, such as `bytes 0-99/1000`; `bytes */1000` if the range is outside the file',
    { type: 'string' },
  ),
  'Content-Disposition': always('The file name for saving (RFC 6266)', { type: 'string' }),
  Location: always('The address of the file', { type: 'string' }),
  'X-Zip-Photos': always('Number of photos in the ZIP', { type: 'integer' }),
  'X-Zip-Missing': always(
    'Number of photos left out because their originals are missing; MISSING_FILES.txt lists them',
    { type: 'integer' },
  ),
  'X-Zip-Withheld': always('Number of photos left out because guests may not download them', { type: 'integer' }),
  'X-Export-Id': always('ID of this export, for `since`', { type: 'integer' }),
  'X-Export-Photos': always('Number of photos in the export', { type: 'integer' }),
  'X-Export-Round': {
    description: 'Number of the round in which the selection was submitted; only for a `selection` with a round',
    schema: { type: 'integer' },
  },
  'X-Export-Left-Out': always('Number of sidecars that were not merged; a text file in the ZIP lists them', {
    type: 'integer',
  }),
} as const satisfies Record<string, Header>

export type ResponseHeader = keyof typeof responseHeaders
