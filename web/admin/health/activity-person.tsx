import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'

const t = translator('health')

/** `user` is null for a sign-in with an unknown user name. */
export const ActivityPerson = ({ record: { user } }: { record: Schemas['Activity'] }) => (
  <span className="activity-who" dir="auto">
    {user ? (user.username ?? t('formerAccount')) : t('nobodyKnown')}
  </span>
)
