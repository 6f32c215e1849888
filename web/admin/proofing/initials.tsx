import type { GuestNames } from './guest-names.ts'

type Props = { names: GuestNames; guestId: string; isChosen?: boolean }

/** A guest in two letters, where the name stands beside it or is said elsewhere. */
export const Initials = ({ names, guestId, isChosen = false }: Props) => (
  <span className={`initials${isChosen ? ' chosen' : ''}`} aria-hidden="true" title={names.of(guestId)}>
    {names.initials(guestId)}
  </span>
)
