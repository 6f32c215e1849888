import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { faultKinds } from './problems.ts'
import type { ResponseHeader } from './response-headers.ts'

// A schema with a `title` becomes a named schema in the OpenAPI description.

/** Ids are integers from 1 to 2^53−1 and are never reused. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const DescribedId = (description: string) => Type.Integer({ ...Id, description })

export const Whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })

/** An ISO 8601 time in UTC. */
export const Timestamp = Type.String({ format: 'date-time' })

export const Nullable = <T extends TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

export const OptionalNullable = <T extends TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Optional(Nullable(schema, options))

export const OneOf = <const T extends readonly string[]>(
  words: T,
  options: { title?: string; description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })

export const IdParams = <const T extends readonly string[]>(...names: T) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Id])) as { [K in T[number]]: typeof Id })

/**
 * The parameters of a route whose path names the event in the public API only. In the public API, what `names` identify
 * must belong to the event.
 */
export const ParamsWithEvent = <const T extends readonly string[]>(...names: T) =>
  Type.Object({
    event_id: Type.Optional(Id),
    ...(Object.fromEntries(names.map((name) => [name, Id])) as { [K in T[number]]: typeof Id }),
  })

export const Page = Type.Integer({ minimum: 1, maximum: 2 ** 31, default: 1, description: 'Counted from 1' })

export const pageTotals = {
  total: Type.Integer({ description: 'Total number' }),
  pages: Type.Integer({ description: 'Number of pages; 0 if there are no results' }),
}

export const Limit = (byDefault: number, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, default: byDefault, description: 'Maximum number per page' })

export const PageQuery = Type.Object({ page: Page, limit: Limit(50, 100) })
export const Pagination = Type.Object({ page: Type.Integer(), limit: Type.Integer(), ...pageTotals })

export const NotBlank = (maxLength: number, options: { description?: string } = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', 'x-pattern': 'must not be blank', ...options })

export const TextParam = (maxLength: number, description: string, example?: string) =>
  Type.Optional(Type.String({ maxLength, description, ...(example && { examples: [example] }) }))

export const UpdatedSince = (description: string) => TextParam(40, description, '2027-06-20T09:00:00Z')

/** The position in a list that can also be read by cursors. */
export const cursorPage = {
  page: Nullable(Type.Integer(), { description: 'Null with `after`' }),
  next: Nullable(Type.String(), { description: 'Send it as `after` to get the next page; null on the last page' }),
}

export const Strict = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false })

/** The responses of a route that sends a file: complete, a range, or 304. */
export function fileReplies(contentTypes: string | string[], description: string, headers: ResponseHeader[] = []) {
  const schema = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
  const sent = {
    headers: ['ETag', 'Accept-Ranges', ...headers] satisfies ResponseHeader[],
    content: Object.fromEntries([contentTypes].flat().map((contentType) => [contentType, { schema }])),
  }
  return {
    200: { description, ...sent },
    206: { description: 'The requested range', ...sent, headers: [...sent.headers, 'Content-Range'] },
    304: { description: 'If-None-Match contains the current ETag', headers: ['ETag'] },
  }
}

/** The additional response of routes that may redirect to the object store. */
export const storeRedirectReply = {
  302: {
    description:
      'Redirects to the object store. The address supports GET and ranges, is valid for one minute, and needs no ' +
      'credentials: do not send any. Only if the instance is configured for it, and never for HEAD',
    headers: ['Location'] satisfies ResponseHeader[],
  },
}

export const streamReply = (description: string) => ({
  description,
  headers: [] satisfies ResponseHeader[],
  content: { 'text/event-stream': { schema: Type.Unsafe<unknown>({ type: 'string' }) } },
})

export const FailedFile = Type.Object({
  index: Type.Integer({ description: 'The position of the file in the form, starting at 0' }),
  filename: Type.String(),
  code: Type.String({ description: 'Code of the error' }),
  error: Type.String(),
})
export type FailedFile = Static<typeof FailedFile>

const BodyWarning = Type.Object({ path: Type.String(), message: Type.String() })
export type BodyWarning = Static<typeof BodyWarning>

/** The response of a route that creates something and ignores unknown keys of the body. */
export const Created = <T extends TProperties>(
  { properties }: TObject<T>,
  options: { title?: string; description?: string } = {},
) =>
  Type.Object(
    {
      ...properties,
      warnings: Type.Optional(
        Type.Array(BodyWarning, {
          description: 'Unknown fields of the body, which were ignored; only if there are any',
        }),
      ),
    },
    options,
  )

export const ProblemReply = Type.Object(
  {
    error: Type.String({ description: 'A message for people; its wording can change' }),
    code: Type.String({ description: 'A stable code for programs' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'The field, or empty for the whole body' }),
          message: Type.String({ description: 'What is wrong, or what the value must be' }),
          kind: Type.Optional(OneOf(faultKinds, { description: 'The kind of error for programs, if there is one' })),
          limit: Type.Optional(Type.Number({ description: 'The exceeded limit, if there is one' })),
        }),
        { description: 'With `VALIDATION_ERROR`, and with `UNREADABLE_IMAGE` if a picture has too many pixels' },
      ),
    ),
    required: Type.Optional(Type.String({ description: 'With `INSUFFICIENT_SCOPE`: the required scope' })),
    granted: Type.Optional(Type.String({ description: 'With `INSUFFICIENT_SCOPE`: the scope of the token' })),
    retryAfter: Type.Optional(Type.Integer({ description: 'With `ACCOUNT_LOCKED`: seconds' })),
    failed: Type.Optional(
      Type.Array(FailedFile, { description: 'If none of several files was accepted: the reason for each' }),
    ),
    missing: Type.Optional(
      Type.Array(Type.Integer(), { description: 'With `MISSING_CHUNKS`: their indexes, the first 1000' }),
    ),
    count: Type.Optional(Type.Integer({ description: 'With `DOWNLOAD_PREPARING`: the photos in the ZIP' })),
    ready_count: Type.Optional(
      Type.Integer({ description: 'With `DOWNLOAD_PREPARING`: the photos of `count` whose files are ready' }),
    ),
  },
  { title: 'Problem' },
)
