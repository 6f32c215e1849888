import { type Static, Type } from 'typebox'
import { EventRecord, GalleryPassword } from './events.ts'
import { NotBlank, Nullable, OptionalNullable } from './shapes.ts'

const NewPassword = OptionalNullable(GalleryPassword, {
  description: 'If omitted, a password is generated and only returned in this response',
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
  { password: Nullable(Type.String(), { description: 'Null if there is no password or it is not stored' }) },
  { title: 'StoredPassword' },
)

export const EventWithPassword = Type.Object(
  {
    ...EventRecord.properties,
    password: Nullable(Type.String(), {
      description: 'The generated password, only returned here; null if the request set the password',
    }),
  },
  { title: 'EventWithPassword' },
)
