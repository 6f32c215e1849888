import fc from 'fast-check'
import { chunkBytes } from './chunked-versions.ts'

/** One send of one chunk. `index` is used modulo the number of chunks; `cutAt` (0 to 1) is a fraction of the chunk. */
export type PlannedSend = {
  index: number
  mode: 'whole' | 'cut' | 'short' | 'long'
  afterMs: number
  pauseMs: number
  cutAt: number
  hasContentLength: boolean
}

/** Concurrent sends. The service is killed `killAfterMs` after their start; null if it is not killed. */
export type PlannedRound = { sends: PlannedSend[]; killAfterMs: number | null }

const finishKinds = [
  'complete',
  'complete twice',
  'complete beside a send',
  'complete and be killed',
  'abort',
  'abort beside a send',
] as const

/** How the upload ends. A completion that is interrupted by a kill is repeated after the restart. */
export type PlannedFinish = {
  kind: (typeof finishKinds)[number]
  index: number
  afterMs: number
}

export type PlannedUpload = { fullChunks: number; tailBytes: number; rounds: PlannedRound[]; finish: PlannedFinish }

const anyIndex = fc.nat({ max: 20 })

const anySend: fc.Arbitrary<PlannedSend> = fc.record({
  index: anyIndex,
  mode: fc.oneof(
    { weight: 6, arbitrary: fc.constant('whole' as const) },
    { weight: 3, arbitrary: fc.constant('cut' as const) },
    { weight: 2, arbitrary: fc.constantFrom('short' as const, 'long' as const) },
  ),
  afterMs: fc.nat({ max: 120 }),
  pauseMs: fc.nat({ max: 15 }),
  cutAt: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  hasContentLength: fc.boolean(),
})

const anyRound: fc.Arbitrary<PlannedRound> = fc.record({
  sends: fc.array(anySend, { minLength: 1, maxLength: 7 }),
  killAfterMs: fc.option(fc.nat({ max: 350 }), { freq: 2 }),
})

/** Uploads of a few chunks with random faults of client and service. */
export const anyUpload: fc.Arbitrary<PlannedUpload> = fc.record({
  fullChunks: fc.integer({ min: 1, max: 3 }),
  tailBytes: fc.oneof(fc.integer({ min: 32, max: 100_000 }), fc.integer({ min: 32, max: chunkBytes })),
  rounds: fc.array(anyRound, { minLength: 1, maxLength: 3 }),
  finish: fc.record({
    // A kill is most likely to cause errors, so this kind occurs twice as often.
    kind: fc.constantFrom(...finishKinds, 'complete and be killed' as const),
    index: anyIndex,
    afterMs: fc.nat({ max: 250 }),
  }),
})

/** Uploads with one round. The service is killed in it, and again during the completion. */
export const anyKilledUpload: fc.Arbitrary<PlannedUpload> = fc
  .tuple(anyUpload, anyRound, fc.nat({ max: 350 }))
  .map(([plan, round, killAfterMs]) => ({
    ...plan,
    rounds: [{ ...round, killAfterMs }],
    finish: { ...plan.finish, kind: 'complete and be killed' },
  }))
