import type { Wire } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'

const say = sayIn('health')

/** `user` is null for a sign-in with an unknown user name. */
export const ActivityPerson = ({ record: { user } }: { record: Wire['Activity'] }) => (
  <span className="activity-who" dir="auto">
    {user ? (user.username ?? say('formerAccount')) : say('nobodyKnown')}
  </span>
)
