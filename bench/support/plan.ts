/** `quick`: a short trial run. `smallest`: shows only that the measurement works. */
type Size = 'full' | 'quick' | 'smallest'

/** `pairs`: measured pairs per figure. */
export type Plan = { workspace: string; pairs: number; size: Size }

/** Returns the value for the size of the plan. */
export const bySize = <T>({ size }: Plan, values: Record<Size, T>): T => values[size]
