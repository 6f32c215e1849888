import { STATUS_CODES } from 'node:http'
import type { RouteOptions } from 'fastify'
import type { AnswerHeader } from '../../contract/answer-headers.ts'
import { examples, problemExtras } from '../../contract/examples.ts'
import { type ProblemCode, problems } from '../../contract/problems.ts'
import { ProblemReply } from '../../contract/shapes.ts'
import type { Components } from './components.ts'
import { isOncePerKey, problemCodesOf } from './problem-codes.ts'

type Schema = {
  title?: string
  description?: string
  properties?: Record<string, { contentMediaType?: string }>
}
/** An answer that says more than its schema, as `fileReplies` makes them. */
type FullReply = { description: string; headers: AnswerHeader[]; content?: Record<string, { schema: Schema }> }
type Reply = Schema | FullReply

const json = 'application/json'

/** What a route takes as its body and every answer that it gives, as an Operation Object has them. */
export function describeExchange(route: RouteOptions, components: Components) {
  const { body, consumes = [json], response } = route.schema ?? {}
  return {
    ...(body !== undefined && {
      requestBody: { required: true, content: mapped(consumes, (type) => [type, media(body, components)]) },
    }),
    responses: {
      ...mapped(Object.entries(response as Record<string, Reply>), ([status, reply]) => [
        status,
        answer(fullReply(status, reply, route), components),
      ]),
      ...problemAnswers(problemCodesOf(route), components),
    },
  }
}

function fullReply(status: string, reply: Reply, route: RouteOptions): FullReply {
  if ('headers' in reply) return reply
  return {
    description: reply.description ?? STATUS_CODES[status] ?? '',
    headers: isOncePerKey(route) ? ['Idempotent-Replayed'] : [],
    content: { [json]: { schema: reply } },
  }
}

function answer({ description, headers, content }: FullReply, components: Components) {
  return {
    description,
    headers: mapped<AnswerHeader, object>(['X-Request-Id', ...headers], (name) => [name, components.header(name)]),
    ...(content && {
      content: mapped(Object.entries(content), ([type, { schema }]) => [type, media(schema, components)]),
    }),
  }
}

/** A shape with its examples; in a form, its files with the types that they may have. */
function media(body: unknown, components: Components) {
  const schema = body as Schema
  const files = Object.entries(schema.properties ?? {}).filter(([, { contentMediaType }]) => contentMediaType)
  const shown = Object.entries(examples[schema.title ?? ''] ?? {})
  return {
    schema: components.schema(schema),
    ...(files.length > 0 && {
      encoding: mapped(files, ([name, { contentMediaType }]) => [name, { contentType: contentMediaType }]),
    }),
    ...(shown.length > 0 && {
      examples: mapped(shown, ([name, value]) => [name, components.example(`${schema.title}.${name}`, value)]),
    }),
  }
}

/** One answer for each status; it names the codes that come with it. */
function problemAnswers(codes: ProblemCode[], components: Components) {
  const byStatus = Object.groupBy(codes, (code) => problems[code].status)
  return mapped(Object.entries(byStatus), ([status, those = []]) => [
    status,
    {
      ...answer({ description: textsOf(those), headers: headersOf(status, those) }, components),
      content: {
        [json]: {
          schema: components.schema(ProblemReply),
          examples: mapped(those, (code) => [code, components.example(code, problemExample(code))]),
        },
      },
    },
  ])
}

const textsOf = (codes: ProblemCode[]): string =>
  codes.map((code) => `- \`${code}\`: ${problems[code].text}`).join('\n')

const comeWithRetryAfter = ['IDEMPOTENCY_IN_PROGRESS', 'RATE_LIMITED', 'UNAVAILABLE', 'PHOTO_PROCESSING']

function headersOf(status: string, codes: ProblemCode[]): AnswerHeader[] {
  if (status === '401') return ['WWW-Authenticate']
  if (status === '416') return ['Content-Range']
  return codes.some((code) => comeWithRetryAfter.includes(code)) ? ['Retry-After'] : []
}

const problemExample = (code: ProblemCode) => ({ error: problems[code].text, code, ...problemExtras[code] })

const mapped = <T, V>(items: readonly T[], entry: (item: T) => [string, V]): Record<string, V> =>
  Object.fromEntries(items.map(entry))
