/**
 * Where somebody wanted to go before the sign-in: `back` is what stood behind `/admin`. Whatever leads out of the desk
 * leads to its first page.
 */
export function addressBelowDesk(back: string | undefined, origin: string): string {
  const wanted = `/admin${back ?? ''}`
  if (!back?.startsWith('/') || !URL.canParse(wanted, origin)) return '/admin'
  const { origin: thatOrigin, pathname, search, hash } = new URL(wanted, origin)
  return thatOrigin === origin && /^\/admin(\/|$)/.test(pathname) ? pathname + search + hash : '/admin'
}
