/** Whether the service answers now. */
export const isServiceThere = (): Promise<boolean> =>
  fetch('/health/live').then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * Loads the page anew, at the same place, after a part of it did not come: browsers do not ask for that again by
 * themselves. WebKit keeps what was preloaded and failed for the next page as well
 * (https://bugs.webkit.org/show_bug.cgi?id=270357), so it is fetched first and takes the place of the failure.
 * Answers false, and leaves the page as it is, where the service cannot be reached.
 */
export async function loadAnew(): Promise<boolean> {
  if (!(await isServiceThere())) return false
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"], link[rel="stylesheet"]')
  await Promise.allSettled(Array.from(links, ({ href }) => fetch(href, { cache: 'reload' })))
  location.reload()
  return true
}
