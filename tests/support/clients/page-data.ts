import type { GalleryPageData } from '../../../contract/gallery/gallery-page.ts'
import type { TestResponse } from './test-client.ts'

/** Returns the data that a gallery page contains for its script. The data ends at the first closing tag. */
export function parsePageData({ bytes }: TestResponse): GalleryPageData {
  const [, data = ''] =
    /<script type="application\/json" id="gallery-data">([\s\S]*?)<\/script/i.exec(bytes.toString()) ?? []
  return JSON.parse(data)
}
