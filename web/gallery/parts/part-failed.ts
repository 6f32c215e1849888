import { say } from '../state/page.ts'
import { tell } from './notices.tsx'

let hasFailed = false

/** A part that was loaded ahead did not come. */
export const noteFailedPart = (): void => {
  hasFailed = true
}

/**
 * What to do when a part of the page could not be loaded. Browsers do not ask again for a script that has failed once, so
 * the next wish has the page loaded anew, at the same place, as soon as the service can be reached. Answers whether it is.
 */
export async function partFailed(): Promise<boolean> {
  const isThere = await fetch('/health/live').then(
    ({ ok }) => ok,
    () => false,
  )
  if (hasFailed && isThere) {
    location.reload()
    return true
  }
  hasFailed = true
  tell(say(isThere ? 'notLoaded' : 'unreachable'), { isAlarm: true })
  return false
}
