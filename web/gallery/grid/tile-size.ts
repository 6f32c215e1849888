import { signal } from '@preact/signals'
import { tileSizeCookie } from '../../../contract/gallery/gallery-tiles.ts'
import { page } from '../state/page.ts'
import { rememberPlace } from './reveal-tile.ts'

export const hasSmallTiles = signal(page.has_small_tiles)

const yearSeconds = 365 * 24 * 3600

/** The row of the first visible photo is at the top then. The server reads the cookie, so that the first paint already has the size. */
export function toggleTileSize(): void {
  const isSmall = !hasSmallTiles.peek()
  rememberPlace({ alignsRow: true })
  hasSmallTiles.value = isSmall
  document.documentElement.classList.toggle('small-tiles', isSmall)
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${tileSizeCookie}=${isSmall ? 'small' : 'large'}; path=/gallery; max-age=${yearSeconds}; samesite=lax`
}
