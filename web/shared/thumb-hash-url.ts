import { thumbHashToDataURL } from 'thumbhash'

const urls = new Map<string, string>()

/** Returns the blurred picture of a base64 thumbhash as a data URL. */
export function thumbHashUrl(thumbhash: string): string {
  let url = urls.get(thumbhash)
  if (!url) {
    url = thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)))
    if (urls.size > 2_000) urls.clear()
    urls.set(thumbhash, url)
  }
  return url
}
