import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '../shapes.ts'

export const RepairStarted = Type.Object({
  message: Type.String({ description: 'A message for people; its wording can change' }),
  count: Type.Integer({ description: 'Number of photos without dimensions' }),
})

const RepairResult = Type.Object(
  {
    success: Type.Integer({ description: 'Number of photos whose dimensions were added' }),
    failed: Type.Integer({ description: 'Number of photos whose file is missing or cannot be read' }),
    startedAt: Timestamp,
    finishedAt: Timestamp,
  },
  { title: 'RepairResult' },
)
export type RepairResult = Static<typeof RepairResult>

export const RepairStatus = Type.Object({
  total: Type.Integer({ description: 'Number of images of the instance; videos are not repaired' }),
  withDimensions: Type.Integer(),
  withoutDimensions: Type.Integer(),
  isRunning: Type.Boolean(),
  lastResult: Nullable(RepairResult, {
    description: 'The result of the last finished or stopped repair; null before the first',
  }),
})
export type RepairStatus = Static<typeof RepairStatus>
