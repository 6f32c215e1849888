import { AppError } from '../../server/platform/app-error.ts'

/** The error that a rule throws; null when it lets pass. Anything else thrown is a defect. */
export function appErrorIn(rule: () => unknown): AppError | null {
  try {
    rule()
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Its code. */
export const errorCodeOf = (rule: () => unknown): string | null => appErrorIn(rule)?.code ?? null

/** The error of an operation. */
export async function appErrorOf(operation: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await operation()
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
