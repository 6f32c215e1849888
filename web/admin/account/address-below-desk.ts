/**
 * Returns the path to open after the sign-in: `back` below `/admin`, or the start page where `back` leads elsewhere.
 */
export function pathBelowAdmin(back: string | undefined, origin: string): string {
  const wanted = `/admin${back ?? ''}`
  if (!back?.startsWith('/') || !URL.canParse(wanted, origin)) return '/admin'
  const { origin: thatOrigin, pathname, search, hash } = new URL(wanted, origin)
  return thatOrigin === origin && /^\/admin(\/|$)/.test(pathname) ? pathname + search + hash : '/admin'
}
