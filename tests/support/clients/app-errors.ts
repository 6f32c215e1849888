import { AppError } from '../../../server/platform/errors/app-error.ts'

/** Returns the AppError that the function throws, or null. Rethrows all other errors. */
export function catchAppError(rule: () => unknown): AppError | null {
  try {
    rule()
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

export const catchErrorCode = (rule: () => unknown): string | null => catchAppError(rule)?.code ?? null

export async function catchAppErrorAsync(operation: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await operation()
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
