/** Secrets of webhooks made in this window, until whoever made them has kept them: no server shows them again. */
const secrets = new Map<number, string>()

export const rememberSecret = (webhookId: number, secret: string): void => void secrets.set(webhookId, secret)
export const findSecret = (webhookId: number): string | null => secrets.get(webhookId) ?? null
export const forgetSecret = (webhookId: number): void => void secrets.delete(webhookId)
