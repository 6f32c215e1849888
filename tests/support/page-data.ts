import type { GalleryPageData } from '../../contract/gallery-page.ts'
import type { Answer } from './test-client.ts'

/** Returns the data of a gallery page for its script. Like a browser, it stops at the first closing tag. */
export function pageData({ bytes }: Answer): GalleryPageData {
  const [, data = ''] =
    /<script type="application\/json" id="gallery-data">([\s\S]*?)<\/script/i.exec(bytes.toString()) ?? []
  return JSON.parse(data)
}
