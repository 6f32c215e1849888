type NumberedGuest = { id: string; name: string | null; first_seen_at: string }

/** Returns numbers for guests without a name, from 1, in the order of their first visits. */
export function numberUnnamedGuests(guests: readonly NumberedGuest[]): Map<string, number> {
  const inOrder = guests.toSorted((a, b) => a.first_seen_at.localeCompare(b.first_seen_at) || a.id.localeCompare(b.id))
  return new Map(inOrder.filter(({ name }) => !name).map(({ id }, index) => [id, index + 1]))
}
