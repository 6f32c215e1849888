/** What guests do: the kinds of feedback, and what else they send. */
export const guestActs = [
  'favorite',
  'like',
  'rating',
  'color_label',
  'comment',
  'note',
  'upload',
  'selection',
  'visit',
] as const
export type GuestAct = (typeof guestActs)[number]
