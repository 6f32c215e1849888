import type { GuestNames } from '../feedback/guest-names.ts'

type Props = { names: GuestNames; guestId: string; isChosen?: boolean }

/** Hidden from screen readers, because the full name is always nearby. */
export const Initials = ({ names, guestId, isChosen = false }: Props) => (
  <span className={`initials${isChosen ? ' chosen' : ''}`} aria-hidden="true" title={names.of(guestId)}>
    {names.initials(guestId)}
  </span>
)
