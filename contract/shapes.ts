import { type TProperties, type TSchema, Type } from 'typebox'

/** Ids are integers from 1 to 2^53−1, never used twice (decisions §2, §3). */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** ISO-8601 UTC (decisions §3). */
export const Timestamp = Type.String({ format: 'date-time' })

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of the given words. */
export const OneOf = <const T extends readonly string[]>(words: T, options: { description?: string } = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })

/** A flat map of path parameters that are all ids. */
export const IdParams = <const T extends readonly string[]>(...names: T) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Id])) as { [K in T[number]]: typeof Id })

/** A page number starts at 1 and ends at 2^31 (decisions §2). */
export const Page = Type.Integer({ minimum: 1, maximum: 2 ** 31, default: 1 })

export const Limit = (byDefault: number, maximum: number) => Type.Integer({ minimum: 1, maximum, default: byDefault })

/** A body whose unknown keys are refused, as PATCH wants it (decisions §2). */
export const Strict = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false })

export const ProblemReply = Type.Object(
  {
    error: Type.String({ description: 'A sentence for a person' }),
    code: Type.String({ description: 'A stable code for programs' }),
    details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
    required: Type.Optional(Type.String()),
    granted: Type.Optional(Type.String()),
    retryAfter: Type.Optional(Type.Integer({ description: 'Seconds' })),
  },
  { $id: 'Problem', title: 'Problem' },
)
