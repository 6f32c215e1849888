type Schema = { type: 'string' | 'integer'; const?: string }
type Header = { description: string; required?: true; schema: Schema }

/** A header that is never missing from a response for which the OpenAPI description lists it. */
const always = (description: string, schema: Schema) => ({ description, required: true, schema }) as const

/** Response headers for the OpenAPI description. */
export const responseHeaders = {
  'X-Request-Id': always('Names this request in the log of the service: quote it when you ask for help', {
    type: 'string',
  }),
  'WWW-Authenticate': always('The scheme wanted', { type: 'string', const: 'Bearer' }),
  'Retry-After': { description: 'Try again after so many seconds', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: 'The call was made before with this Idempotency-Key; this is its answer, and nothing was done again',
    schema: { type: 'string', const: 'true' },
  },
  ETag: always('Strong, of the very bytes; for If-None-Match and If-Range', { type: 'string' }),
  'Accept-Ranges': always('Byte ranges are taken', { type: 'string', const: 'bytes' }),
  'Content-Range': always(
    'Which bytes of how many, such as `bytes 0-99/1000`; `bytes */1000` when the range lies outside',
    { type: 'string' },
  ),
  'Content-Disposition': always('The name to keep the file under (RFC 6266)', { type: 'string' }),
  Location: always('Where it is to be had', { type: 'string' }),
  'X-Zip-Photos': always('How many photos are in the ZIP', { type: 'integer' }),
  'X-Zip-Missing': always(
    'How many photos were left out because their originals are missing; MISSING_FILES.txt names them',
    { type: 'integer' },
  ),
  'X-Zip-Withheld': always('How many photos were left out because guests may not download them', { type: 'integer' }),
  'X-Export-Id': always('Names this export, for `since`', { type: 'integer' }),
  'X-Export-Photos': always('How many photos it tells of', { type: 'integer' }),
} as const satisfies Record<string, Header>

export type ResponseHeader = keyof typeof responseHeaders
