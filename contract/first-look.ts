import { type Static, Type } from 'typebox'
import { Nullable, Strict, Timestamp, Whole } from './shapes.ts'

const fields = {
  about_count: Whole(1, 100_000, 'About how many photos there will be'),
  complete_on: Type.String({ format: 'date', description: 'The day by which all photos are there, YYYY-MM-DD' }),
}

export const FirstLookBody = Type.Object(fields, { title: 'FirstLookBody', additionalProperties: false })
export type FirstLookBody = Static<typeof FirstLookBody>

export const FirstLookRecord = Type.Object(
  {
    ...fields,
    completed_at: Nullable(Timestamp, { description: 'Null while guests are told that more photos are coming' }),
  },
  { title: 'FirstLook' },
)
export type FirstLookRecord = Static<typeof FirstLookRecord>

export const FirstLookReply = Type.Object({ first_look: Nullable(FirstLookRecord) }, { title: 'FirstLookReply' })

export const FirstLookNoticeBody = Strict({ email: Type.String({ maxLength: 254, format: 'email' }) })
