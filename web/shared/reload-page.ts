export async function isServiceReachable(): Promise<boolean> {
  const response = await fetch('/health/live').catch(() => null)
  // A response that is not read keeps its connection busy.
  await response?.text().catch(() => undefined)
  return response?.ok ?? false
}

/**
 * Returns false, without a reload, when the service is unreachable. Fetches preloaded modules and stylesheets first,
 * because WebKit reuses a failed preload after a reload.
 */
export async function reloadPage(): Promise<boolean> {
  if (!(await isServiceReachable())) return false
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"], link[rel="stylesheet"]')
  await Promise.allSettled(Array.from(links, ({ href }) => fetch(href, { cache: 'reload' })))
  location.reload()
  return true
}
