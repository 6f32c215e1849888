import { type Static, Type } from 'typebox'
import { roles } from './access.ts'
import { Id, Nullable, OneOf, Strict } from './shapes.ts'

export const EventMembersBody = Strict({
  user_ids: Type.Array(Id, {
    maxItems: 200,
    description: 'All members from now on; whose event it is need not be one',
  }),
})

const Person = Type.Object(
  { id: Id, username: Type.String(), role: OneOf(roles, { title: 'Role' }), is_active: Type.Boolean() },
  { title: 'Person' },
)
export type Person = Static<typeof Person>

export const EventMembers = Type.Object(
  {
    owner: Nullable(Person, { description: 'Whose event it is' }),
    members: Type.Array(Person, { description: 'Who owns the event too, as far as their roles allow' }),
    candidates: Type.Array(Person, {
      description: 'Who could become a member; told to the owner and to super admins alone',
    }),
  },
  { title: 'EventMembers' },
)
export type EventMembers = Static<typeof EventMembers>
