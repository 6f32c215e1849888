import { type Static, Type } from 'typebox'
import { fileReplies, Nullable, OneOf, streamReply, Timestamp } from './shapes.ts'

export const healthStatuses = ['ok', 'warn', 'fail'] as const

export const HealthItem = Type.Object(
  {
    key: Type.String({ description: 'Which thing it is about; stable' }),
    status: OneOf(healthStatuses),
    text: Type.String({
      description: 'How it is, in plain words; names of variables and commands stand in `backticks`',
    }),
    fix: Nullable(
      Type.String({ description: 'What to do about it, told the same way; null when there is nothing to do' }),
    ),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
      description: 'The figures that the text tells of, for programs',
    }),
  },
  { title: 'HealthItem' },
)
export type HealthItem = Static<typeof HealthItem>

export const HealthQuery = Type.Object({
  language: Type.String({
    default: 'en',
    maxLength: 35,
    description: 'Of the words: `en`, `de`; English where there are none in it',
  }),
})

export const InstanceHealth = Type.Object(
  {
    status: OneOf(healthStatuses, { description: 'The worst of the items' }),
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
    scheme: Type.String({ description: '`http` or `https`, as links and cookies of this request would have it' }),
    host: Type.String(),
    address: Type.String({ description: 'Whom limits would count this request for' }),
    peer_address: Type.String({ description: 'The other end of the connection: a proxy, or whoever asked' }),
    public_url: Nullable(Type.String()),
    trust_proxy: Type.String({ description: 'What TRUST_PROXY is set to; `off` when unset' }),
    forwarding_headers: Type.Array(Type.String(), {
      description: 'Which headers of proxies came with this request, trusted or not',
    }),
    now: Timestamp,
  },
  { title: 'ProxyFacts' },
)
export type ProxyFacts = Static<typeof ProxyFacts>

/** The bytes are streamed, so the operation validates them instead of the schema. */
export const ProbeBytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary', 'x-streamed': true })

export const ProbeReply = Type.Object({ size_bytes: Type.Integer({ description: 'How much has arrived' }) })

export const probeRangeReplies = fileReplies('application/octet-stream', 'The whole: 65536 bytes')

export const ProbeStream = streamReply('Two events, `first` and `second`')
