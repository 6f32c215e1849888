import { isDialogOpen } from '../parts/open-dialog.tsx'
import { reloadList } from '../state/photos.ts'
import { rememberPlace } from './reveal-tile.ts'

const maxAgeMs = 3 * 60_000

let refreshedAt = Date.now()

/** Reloads the list without moving the visible photos. */
export async function refreshList(): Promise<void> {
  refreshedAt = Date.now()
  await reloadList(rememberPlace)
}

export function refreshOnReturn(): void {
  document.addEventListener('visibilitychange', () => {
    const isStale = Date.now() - refreshedAt > maxAgeMs
    // If the request fails, the page stays as it is.
    if (document.visibilityState === 'visible' && isStale && !isDialogOpen()) refreshList().catch(() => undefined)
  })
}
