import { type Static, Type } from 'typebox'
import { languages, sourceLanguage } from '../languages.ts'
import { fileReplies, Nullable, OneOf, streamReply, Timestamp } from '../shapes.ts'

export const healthStatuses = ['ok', 'warn', 'fail'] as const

export const HealthItem = Type.Object(
  {
    key: Type.String({ description: 'Identifies the check; stable' }),
    status: OneOf(healthStatuses),
    text: Type.String({
      description: 'The result for people; variables and commands are in `backticks`',
    }),
    fix: Nullable(
      Type.String({ description: 'How to fix the problem, in the format of `text`; null if there is nothing to do' }),
    ),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
      description: 'The values in `text`, for programs',
    }),
  },
  { title: 'HealthItem' },
)
export type HealthItem = Static<typeof HealthItem>

export const HealthQuery = Type.Object({
  language: Type.String({
    default: sourceLanguage,
    maxLength: 35,
    description: `Language of the texts: ${languages.map((tag) => `\`${tag}\``).join(' or ')}; for other languages English`,
  }),
})

export const InstanceHealth = Type.Object(
  {
    status: OneOf(healthStatuses, { description: 'The worst status of all items' }),
    version: Type.String(),
    node: Type.String(),
    started_at: Timestamp,
    checked_at: Timestamp,
    items: Type.Array(HealthItem),
  },
  { title: 'InstanceHealth' },
)
export type InstanceHealth = Static<typeof InstanceHealth>

export const ProxyFacts = Type.Object(
  {
    scheme: Type.String({ description: '`http` or `https`: the scheme that links and cookies use for this request' }),
    host: Type.String(),
    address: Type.String({ description: 'The client address that rate limits use for this request' }),
    peer_address: Type.String({ description: 'The address of the connection: a proxy, or the client itself' }),
    public_url: Nullable(Type.String()),
    trust_proxy: Type.String({ description: 'The value of TRUST_PROXY; `off` if it is not set' }),
    forwarding_headers: Type.Array(Type.String(), {
      description: 'The proxy headers of this request, whether trusted or not',
    }),
    now: Timestamp,
  },
  { title: 'ProxyFacts' },
)
export type ProxyFacts = Static<typeof ProxyFacts>

/** The bytes are streamed, so the operation validates them instead of the schema. */
export const ProbeBytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary', 'x-streamed': true })

export const ProbeReply = Type.Object({ size_bytes: Type.Integer({ description: 'Number of bytes received' }) })

export const probeRangeReplies = fileReplies('application/octet-stream', 'The complete content: 65536 bytes')

export const ProbeStream = streamReply('Two server-sent events, `first` and `second`')
