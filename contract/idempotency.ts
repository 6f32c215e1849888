import { Type } from 'typebox'

/** The header name is in lower case, as Node provides it. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\x00-\\x1f\\x7f]*$',
      description:
        'A text of your choice, new for each call. Sent again with the same content within 24 hours, the call has no second effect and is answered with Idempotent-Replayed: true.',
    }),
  ),
})
