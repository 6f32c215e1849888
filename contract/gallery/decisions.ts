/** Without schemas, because the web apps use these values. From the strictest to the mildest. */
export const decisions = ['changes_wanted', 'approved_with_changes', 'approved'] as const
export type Decision = (typeof decisions)[number]

/** The numbers that requests can name. */
export const versionRange = { minimum: 1, maximum: 1_000_000 }

export const reviewStates = [...decisions, 'waiting', 'unasked'] as const
export type ReviewState = (typeof reviewStates)[number]
