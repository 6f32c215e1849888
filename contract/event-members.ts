import { type Static, Type } from 'typebox'
import { roles } from './access.ts'
import { Id, Nullable, OneOf, Strict } from './shapes.ts'

export const EventMembersBody = Strict({
  user_ids: Type.Array(Id, {
    maxItems: 200,
    description: 'The complete new list of members; the owner need not be in it',
  }),
})

const Person = Type.Object(
  { id: Id, username: Type.String(), role: OneOf(roles, { title: 'Role' }), is_active: Type.Boolean() },
  { title: 'Person' },
)
export type Person = Static<typeof Person>

export const EventMembers = Type.Object(
  {
    owner: Nullable(Person, { description: 'The account that owns the event' }),
    members: Type.Array(Person, {
      description: 'Accounts that can also work on the event, within the permissions of their roles',
    }),
    candidates: Type.Array(Person, {
      description: 'Active accounts that can become members; empty unless the caller is the owner or a super admin',
    }),
  },
  { title: 'EventMembers' },
)
export type EventMembers = Static<typeof EventMembers>
