import { isServiceThere, loadAnew } from '../../shared/load-anew.ts'
import { t } from '../state/page.ts'
import { showNotice } from './notices.tsx'

let hasFailed = false

export const noteFailedPart = (): void => {
  hasFailed = true
}

/** Shows a notice at the first failure, and reloads the page at the next one. Returns whether it reloads. */
export async function partFailed(): Promise<boolean> {
  if (hasFailed && (await loadAnew())) return true
  hasFailed = true
  showNotice(t((await isServiceThere()) ? 'notLoaded' : 'unreachable'), { isAlarm: true })
  return false
}
