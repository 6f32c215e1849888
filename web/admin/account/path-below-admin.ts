/**
 * Returns the path to open after the sign-in: `/admin` followed by `back`, or `/admin` if `back` is missing, is invalid
 * or leads outside of `/admin`.
 */
export function pathBelowAdmin(back: string | undefined, origin: string): string {
  const target = `/admin${back ?? ''}`
  if (!back?.startsWith('/') || !URL.canParse(target, origin)) return '/admin'
  const { origin: targetOrigin, pathname, search, hash } = new URL(target, origin)
  return targetOrigin === origin && /^\/admin(\/|$)/.test(pathname) ? pathname + search + hash : '/admin'
}
