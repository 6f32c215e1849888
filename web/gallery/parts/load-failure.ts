import { isServiceReachable, reloadPage } from '../../shared/reload-page.ts'
import { t } from '../state/page.ts'
import { showNotice } from './notices.tsx'

let hasFailed = false

export const recordPreloadFailure = (): void => {
  hasFailed = true
}

/** Shows a notice at the first failure, and reloads the page at the next one. Returns whether it reloads. */
export async function handleLoadFailure(): Promise<boolean> {
  if (hasFailed && (await reloadPage())) return true
  hasFailed = true
  showNotice(t((await isServiceReachable()) ? 'notLoaded' : 'unreachable'), { isError: true })
  return false
}
