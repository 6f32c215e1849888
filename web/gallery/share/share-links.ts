/** Filters whose photos are others for each guest. */
const own = ['filter', 'color_label', 'my_min_rating']

/**
 * The links that can be given on from an address: to the whole gallery, and to what it shows now where that is not all;
 * without the photo that is open. `isOwn`: whoever opens the view sees photos by marks of their own. `sharePath` stands
 * for the path of an address that opens to nobody else.
 */
export function shareLinks(address: string, sharePath: string | null = null) {
  const url = new URL(address)
  for (const key of ['photo', 'page', 'language', 'as']) url.searchParams.delete(key)
  url.hash = ''
  url.pathname = sharePath ?? url.pathname
  return {
    gallery: url.origin + url.pathname,
    view: url.searchParams.size > 0 ? url.href : null,
    isOwn: own.some((key) => url.searchParams.has(key)),
  }
}
