import { Refusal } from '../../server/platform/refusal.ts'

/** The refusal that a rule throws; null when it lets pass. Anything else thrown is a defect. */
export function refusalIn(rule: () => unknown): Refusal | null {
  try {
    rule()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Its code. */
export const refusalCodeOf = (rule: () => unknown): string | null => refusalIn(rule)?.code ?? null

/** The refusal of an operation. */
export async function refusalOf(deed: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await deed()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
