export async function isServiceReachable(): Promise<boolean> {
  const response = await fetch('/health/live').catch(() => null)
  return response?.ok ?? false
}

/**
 * Reloads the page after a module failed to load, because browsers do not request it again by themselves. WebKit also
 * reuses a failed preload for the next page (https://bugs.webkit.org/show_bug.cgi?id=270357), so preloads are fetched
 * first. Returns false, without a reload, when the service is unreachable.
 */
export async function reloadPage(): Promise<boolean> {
  if (!(await isServiceReachable())) return false
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"], link[rel="stylesheet"]')
  await Promise.allSettled(Array.from(links, ({ href }) => fetch(href, { cache: 'reload' })))
  location.reload()
  return true
}
