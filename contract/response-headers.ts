type Header = { description: string; required?: true; schema: { type: 'string' | 'integer'; const?: string } }

/** Response headers for the description of the API. `required`: present in every response that lists the header. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'Names this request in the log of the service: quote it when you ask for help',
    required: true,
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'The scheme wanted',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  'Retry-After': { description: 'Try again after so many seconds', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: 'The call was made before with this Idempotency-Key; this is its answer, and nothing was done again',
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    description: 'Strong, of the very bytes; for If-None-Match and If-Range',
    required: true,
    schema: { type: 'string' },
  },
  'Accept-Ranges': {
    description: 'Byte ranges are taken',
    required: true,
    schema: { type: 'string', const: 'bytes' },
  },
  'Content-Range': {
    description: 'Which bytes of how many, such as `bytes 0-99/1000`; `bytes */1000` when the range lies outside',
    required: true,
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'The name to keep the file under (RFC 6266)',
    required: true,
    schema: { type: 'string' },
  },
  Location: { description: 'Where it is to be had', required: true, schema: { type: 'string' } },
  'X-Zip-Photos': { description: 'How many photos are in the ZIP', required: true, schema: { type: 'integer' } },
  'X-Zip-Missing': {
    description: 'How many photos were left out because their originals are missing; MISSING_FILES.txt names them',
    required: true,
    schema: { type: 'integer' },
  },
  'X-Zip-Withheld': {
    description: 'How many photos were left out because guests may not download them',
    required: true,
    schema: { type: 'integer' },
  },
  'X-Export-Id': { description: 'Names this export, for `since`', required: true, schema: { type: 'integer' } },
  'X-Export-Photos': { description: 'How many photos it tells of', required: true, schema: { type: 'integer' } },
} as const satisfies Record<string, Header>

export type ResponseHeader = keyof typeof responseHeaders
