/** Aborted as soon as one of them is, for the same reason. Safari has `AbortSignal.any` since 17.4 only. */
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
