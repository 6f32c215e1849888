/** An expected failure of `migrate-database` or `migrate-storage`. The message is for the operator. */
export class MoveProblem extends Error {}

/** Prints the message and sets the exit code. */
export function fail(message: string): undefined {
  console.error(message)
  process.exitCode = 1
}

/** Prints an expected error in one line and sets the exit code. Throws any error for which `format` returns null. */
export async function reportErrors(
  format: (error: Error & { code?: string }) => string | null,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const line = format(error as Error)
    if (line === null) throw error
    fail(line)
  }
}
