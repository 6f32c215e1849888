/**
 * Passwords of galleries that were given in this window, so that they can be handed on with the link. The service keeps
 * none that can be read again; neither does the browser: they are gone with the window.
 */
const known = new Map<number, string>()

export const rememberPassword = (eventId: number, password: string): void => void known.set(eventId, password)
export const forgetPassword = (eventId: number): void => void known.delete(eventId)
export const knownPassword = (eventId: number): string | null => known.get(eventId) ?? null
