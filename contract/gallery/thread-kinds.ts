/** Without schemas, because the web apps use these values. */

export const threadKinds = ['comment', 'note', 'pin', 'box'] as const
export type ThreadKind = (typeof threadKinds)[number]

/** The width and the height of a picture are this many units. */
export const pictureUnits = 1_000_000
