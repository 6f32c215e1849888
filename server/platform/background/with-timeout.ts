/** Returns the result of `work`. Throws when `work` takes longer than `timeoutMs`, but does not end it. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('No response in time')), timeoutMs)
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}
