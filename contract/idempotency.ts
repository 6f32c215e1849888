import { Type } from 'typebox'

/** The header name is in lower case, as Node provides it. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\x00-\\x1f\\x7f]*$',
      description:
        'Any text, unique for each operation. If a request with the same key and content is repeated within 24 hours, it has no further effect and returns the first response with `Idempotent-Replayed: true`',
    }),
  ),
})
