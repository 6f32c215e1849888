const guestSpecificFilters = ['filter', 'color_label', 'my_min_rating']

/** `isOwn` means that the view differs for each guest. `sharePath` replaces a path that works only for this guest. */
export function createShareLinks(address: string, sharePath: string | null = null) {
  const url = new URL(address)
  for (const key of ['photo', 'page', 'language', 'as']) url.searchParams.delete(key)
  url.hash = ''
  url.pathname = sharePath ?? url.pathname
  return {
    gallery: url.origin + url.pathname,
    view: url.search !== '' ? url.href : null,
    isOwn: guestSpecificFilters.some((key) => url.searchParams.has(key)),
  }
}
