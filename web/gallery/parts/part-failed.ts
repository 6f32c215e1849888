import { isServiceThere, loadAnew } from '../../shared/load-anew.ts'
import { say } from '../state/page.ts'
import { tell } from './notices.tsx'

let hasFailed = false

/** A part that was loaded ahead did not come. */
export const noteFailedPart = (): void => {
  hasFailed = true
}

/**
 * What to do when a part of the page could not be loaded: the next wish has the page loaded anew as soon as the service
 * can be reached. Answers whether it is.
 */
export async function partFailed(): Promise<boolean> {
  if (hasFailed && (await loadAnew())) return true
  hasFailed = true
  tell(say((await isServiceThere()) ? 'notLoaded' : 'unreachable'), { isAlarm: true })
  return false
}
