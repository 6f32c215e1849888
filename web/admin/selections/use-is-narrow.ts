import { useSyncExternalStore } from 'react'

/** Must match the width below which web/admin/components/table.css omits columns. */
const narrow = matchMedia('(max-width: 48rem)')

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange)
  return () => narrow.removeEventListener('change', onChange)
}

/** Returns whether tables omit their `isWideOnly` columns. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
