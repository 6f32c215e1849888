import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from './shapes.ts'

export const RepairStarted = Type.Object({
  message: Type.String({ description: 'A sentence for a person' }),
  count: Type.Integer({ description: 'How many photos lack their size' }),
})

const RepairResult = Type.Object(
  {
    success: Type.Integer({ description: 'Photos that have their size now' }),
    failed: Type.Integer({ description: 'Photos whose file is missing or cannot be read' }),
    startedAt: Timestamp,
    finishedAt: Timestamp,
  },
  { title: 'RepairResult' },
)
export type RepairResult = Static<typeof RepairResult>

export const RepairStatus = Type.Object({
  total: Type.Integer({ description: 'Images of the instance; videos are not repaired' }),
  withDimensions: Type.Integer(),
  withoutDimensions: Type.Integer(),
  isRunning: Type.Boolean(),
  lastResult: Nullable(RepairResult, { description: 'Of the last run that ended or was stopped; null before it' }),
})
export type RepairStatus = Static<typeof RepairStatus>
