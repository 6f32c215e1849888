import Type from 'typebox'
import { Check } from 'typebox/value'
import { maxEdgePx, maxReasonLength, maxSeconds, readyLine, type VideoResult } from './video-result.ts'

const edge = Type.Integer({ minimum: 1, maximum: maxEdgePx })
const nullable = (minimum: number, maximum: number) => Type.Union([Type.Number({ minimum, maximum }), Type.Null()])
const strict = { additionalProperties: false }

const results = Type.Union([
  Type.Object(
    {
      outcome: Type.Literal('made'),
      facts: Type.Object(
        {
          width: edge,
          height: edge,
          duration: nullable(0, maxSeconds),
          capturedAt: Type.Union([Type.Integer({ minimum: 0, maximum: 2 ** 50 }), Type.Null()]),
        },
        strict,
      ),
    },
    strict,
  ),
  Type.Object(
    {
      outcome: Type.Literal('rejected'),
      rejection: Type.Enum(['cut', 'pictureless', 'damaged', 'costly', 'size', 'unsupported', 'undecodable']),
      reason: Type.Optional(Type.String({ maxLength: maxReasonLength })),
    },
    strict,
  ),
  Type.Object({ outcome: Type.Literal('diskFull') }, strict),
])

/** Parses what a worker wrote. Returns null for anything that is not a result, as a worker handles files of strangers. */
export function parseVideoResult(text: string): VideoResult | null {
  const [first, second = ''] = text.split('\n', 2)
  if (first !== readyLine) return null
  try {
    const result: unknown = JSON.parse(second)
    return Check(results, result) ? (result as VideoResult) : null
  } catch {
    return null
  }
}
