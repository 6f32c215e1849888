import { type Static, Type } from 'typebox'
import { EventRecord, GalleryPassword } from './events.ts'
import { NotBlank, Nullable, OptionalNullable } from './shapes.ts'

const NewPassword = OptionalNullable(GalleryPassword, {
  description: 'Without one a password is made up, and told in this answer alone',
})

export const DuplicateEventBody = Nullable(
  Type.Object({
    event_name: Type.Optional(NotBlank(200)),
    event_date: OptionalNullable(Type.String({ minLength: 1, maxLength: 10 }), { description: 'A date, `YYYY-MM-DD`' }),
    password: NewPassword,
  }),
)
export type DuplicateEventBody = Static<typeof DuplicateEventBody>

export const ResetEventPasswordBody = Nullable(Type.Object({ password: NewPassword }))
export type ResetEventPasswordBody = Static<typeof ResetEventPasswordBody>

export const StoredPassword = Type.Object(
  { password: Nullable(Type.String(), { description: 'null if there is none or it is not stored' }) },
  { title: 'StoredPassword' },
)

export const EventWithPassword = Type.Object(
  {
    ...EventRecord.properties,
    password: Nullable(Type.String(), {
      description: 'The one made up here, shown this once; null where it was given',
    }),
  },
  { title: 'EventWithPassword' },
)
