import { type Static, Type } from 'typebox'
import { EventRecord, GalleryPassword } from './events.ts'
import { Nullable } from './shapes.ts'

const NewPassword = Type.Optional(
  Nullable(GalleryPassword, { description: 'Without one a password is made up, and told in this answer alone' }),
)

/** The body is optional for both routes; a missing body is null. */
export const DuplicateEventBody = Nullable(
  Type.Object({
    event_name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', 'x-pattern': 'must not be blank' }),
    ),
    event_date: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 10 }), { description: 'A day, `YYYY-MM-DD`' }),
    ),
    password: NewPassword,
  }),
)
export type DuplicateEventBody = Static<typeof DuplicateEventBody>

export const ResetEventPasswordBody = Nullable(Type.Object({ password: NewPassword }))
export type ResetEventPasswordBody = Static<typeof ResetEventPasswordBody>

export const EventWithPassword = Type.Object(
  {
    ...EventRecord.properties,
    password: Nullable(Type.String(), {
      description: 'The one made up here, shown this once; null where it was given',
    }),
  },
  { title: 'EventWithPassword' },
)
