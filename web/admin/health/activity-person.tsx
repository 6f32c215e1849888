import type { Wire } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'

const say = sayIn('health')

/** Null for a sign-in under a name that nobody has. */
export const ActivityPerson = ({ record: { user } }: { record: Wire['Activity'] }) => (
  <span className="activity-who" dir="auto">
    {user ? (user.username ?? say('formerAccount')) : say('nobodyKnown')}
  </span>
)
