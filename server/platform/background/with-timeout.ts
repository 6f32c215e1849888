/** Returns the result of `work`, and throws when it takes longer. The work itself is not ended. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('No answer in time')), timeoutMs)
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}
