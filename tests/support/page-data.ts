import type { GalleryPageData } from '../../contract/gallery-page.ts'
import type { Answer } from './test-client.ts'

/** What a page of a gallery tells its script, read as a browser reads it: up to the first thing that ends the element. */
export function pageData({ bytes }: Answer): GalleryPageData {
  const [, data = ''] =
    /<script type="application\/json" id="gallery-data">([\s\S]*?)<\/script/i.exec(bytes.toString()) ?? []
  return JSON.parse(data)
}
