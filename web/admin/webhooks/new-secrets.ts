/** Secrets of webhooks created in this window. The server returns a secret only once. */
const secrets = new Map<number, string>()

export const rememberSecret = (webhookId: number, secret: string): void => void secrets.set(webhookId, secret)
export const findSecret = (webhookId: number): string | null => secrets.get(webhookId) ?? null
export const forgetSecret = (webhookId: number): void => void secrets.delete(webhookId)
