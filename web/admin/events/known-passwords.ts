/** Gallery passwords that were set in this window. Only in memory: browser storage must not hold passwords. */
const known = new Map<number, string>()

export const rememberPassword = (eventId: number, password: string): void => void known.set(eventId, password)
export const forgetPassword = (eventId: number): void => void known.delete(eventId)
export const findKnownPassword = (eventId: number): string | null => known.get(eventId) ?? null
