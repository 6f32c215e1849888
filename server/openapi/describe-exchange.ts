import { STATUS_CODES } from 'node:http'
import type { RouteOptions } from 'fastify'
import { adminExamples } from '../../contract/examples/admin-examples.ts'
import { examples, problemExtras } from '../../contract/examples/examples.ts'
import { galleryExamples } from '../../contract/examples/gallery-examples.ts'
import { sharedExamples } from '../../contract/examples/shared-examples.ts'
import { type ProblemCode, problems } from '../../contract/problems.ts'
import type { ResponseHeader } from '../../contract/response-headers.ts'
import { ProblemReply } from '../../contract/shapes.ts'
import type { Components } from './components.ts'
import { acceptsIdempotencyKey, listProblemCodes } from './problem-codes.ts'

type Schema = {
  title?: string
  description?: string
  properties?: Record<string, { contentMediaType?: string }>
}
/** A response with more than a schema, such as those of `fileReplies` in `contract/shapes.ts`. */
type DescribedReply = { description: string; headers: ResponseHeader[]; content?: Record<string, { schema: Schema }> }
type Reply = Schema | DescribedReply

const json = 'application/json'

/** Returns the request body and all responses. A schema without a title is named after the operation. */
export function describeExchange(route: RouteOptions, components: Components) {
  const { body, consumes = [json], response } = route.schema ?? {}
  return {
    ...(body !== undefined && {
      requestBody: {
        required: !acceptsNull(body),
        content: toRecord(listBodies(body, consumes), ([type, schema]) => [
          type,
          media(withTitle(type, schema, route, 'Body'), components),
        ]),
      },
    }),
    responses: {
      ...toRecord(Object.entries((response ?? {}) as Record<string, Reply>), ([status, reply]) => [
        status,
        createResponse(describeReply(status, reply, route), components),
      ]),
      ...createProblemResponses(route, components),
    },
  }
}

function listBodies(body: unknown, consumes: readonly string[]): Array<[type: string, schema: unknown]> {
  const { content } = body as { content?: Record<string, { schema: unknown }> }
  if (!content) return consumes.map((type) => [type, body])
  return Object.entries(content).map(([type, { schema }]) => [type, schema])
}

/** A body that may be null is optional: the validator sees a missing body as null. */
const acceptsNull = (body: unknown): boolean =>
  ((body as { anyOf?: Array<{ type?: string }> }).anyOf ?? []).some(({ type }) => type === 'null')

/** Only JSON schemas need a name. */
function withTitle(type: string, schema: unknown, { schema: { operationId = '' } = {} }: RouteOptions, ending: string) {
  const isNamed = type !== json || (schema as Schema).title !== undefined
  return isNamed ? schema : { ...(schema as Schema), title: operationId.replace(/^./, (a) => a.toUpperCase()) + ending }
}

function describeReply(status: string, reply: Reply, route: RouteOptions): DescribedReply {
  if ('headers' in reply || 'content' in reply) return { headers: [], ...reply } as DescribedReply
  return {
    description: reply.description ?? STATUS_CODES[status] ?? '',
    headers: acceptsIdempotencyKey(route) ? ['Idempotent-Replayed'] : [],
    content: { [json]: { schema: withTitle(json, reply, route, 'Reply') as Schema } },
  }
}

function createResponse({ description, headers, content }: DescribedReply, components: Components) {
  return {
    description,
    headers: toRecord<ResponseHeader, object>(['X-Request-Id', ...headers], (name) => [name, components.header(name)]),
    ...(content && {
      content: toRecord(Object.entries(content), ([type, { schema }]) => [type, media(schema, components)]),
    }),
  }
}

function media(body: unknown, components: Components) {
  const schema = body as Schema
  const files = Object.entries(schema.properties ?? {}).filter(([, { contentMediaType }]) => contentMediaType)
  const { title = '' } = schema
  const replyExamples = Object.entries({
    ...examples[title],
    ...sharedExamples[title],
    ...adminExamples[title],
    ...galleryExamples[title],
  })
  return {
    schema: components.schema(schema),
    ...(files.length > 0 && {
      encoding: toRecord(files, ([name, { contentMediaType }]) => [name, { contentType: contentMediaType }]),
    }),
    ...(replyExamples.length > 0 && {
      examples: toRecord(replyExamples, ([name, value]) => [
        name,
        components.example(`${schema.title}.${name}`, value),
      ]),
    }),
  }
}

function createProblemResponses(route: RouteOptions, components: Components) {
  return toRecord(Object.entries(listProblemCodes(route)), ([status, problemCodes = []]) => [
    status,
    {
      ...createResponse(
        { description: messagesOf(problemCodes), headers: listHeaders(route, status, problemCodes) },
        components,
      ),
      content: {
        [json]: {
          schema: components.schema(ProblemReply),
          examples: toRecord(problemCodes, (code) => [code, components.example(code, createProblemExample(code))]),
        },
      },
    },
  ])
}

const messagesOf = (codes: ProblemCode[]): string =>
  codes.map((code) => `- \`${code}\`: ${problems[code].text}`).join('\n')

const codesWithRetryAfter = [
  'IDEMPOTENCY_IN_PROGRESS',
  'ACCOUNT_LOCKED',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'PHOTO_PROCESSING',
  'DOWNLOAD_PREPARING',
]

function listHeaders({ url }: RouteOptions, status: string, codes: ProblemCode[]): ResponseHeader[] {
  // Sign-in routes do not send WWW-Authenticate, so that browsers show no sign-in dialog.
  if (status === '401') return /^\/api\/(customer\/)?auth\//.test(url) ? [] : ['WWW-Authenticate']
  if (status === '416') return ['Content-Range']
  if (status === '429') return ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  return codes.some((code) => codesWithRetryAfter.includes(code)) ? ['Retry-After'] : []
}

const createProblemExample = (code: ProblemCode) => ({ error: problems[code].text, code, ...problemExtras[code] })

const toRecord = <T, V>(items: readonly T[], entry: (item: T) => [string, V]): Record<string, V> =>
  Object.fromEntries(items.map(entry))
