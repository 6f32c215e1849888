import { Refusal } from '../../server/platform/refusal.ts'

/** The code of the refusal that a rule throws; null when it lets pass. Anything else thrown is a defect. */
export function refusalCodeOf(rule: () => unknown): string | null {
  try {
    rule()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** The same for a deed. */
export async function refusalOf(deed: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await deed()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
