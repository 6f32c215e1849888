/** Returns a signal that aborts with the first of `signals`. Safari before 17.4 has no `AbortSignal.any`. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([...signals])
  const ended = new AbortController()
  for (const signal of signals) {
    const end = () => ended.abort(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true, signal: ended.signal })
  }
  return ended.signal
}
