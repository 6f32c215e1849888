import type PhotoSwipe from 'photoswipe'
import type { SlideData } from 'photoswipe'
import { photoPath, type TilePhoto } from '../../../contract/gallery/gallery-tiles.ts'
import { page } from '../state/page.ts'
import { getPhoto } from '../state/photos.ts'
import { fetchPictureResponse, getPictureProblem } from './picture-problem.ts'
import { setPictureNote } from './viewer-state.ts'
import { needsFullSize } from './zoom-rules.ts'

export type ViewerSlide = SlideData & { tile: TilePhoto; type: 'image' | 'video' }

type Content = NonNullable<PhotoSwipe['currSlide']>['content']

/**
 * If a picture fails, its thumbnail and a note are shown. The picture is loaded again after a temporary problem, and
 * when the browser is online again.
 */
export function showPictures(pswp: PhotoSwipe): void {
  const cleanups = new Map<Content, () => void>()
  pswp.on('contentLoadImage', (event) => {
    event.preventDefault()
    cleanups.get(event.content)?.()
    cleanups.set(event.content, loadPicture(pswp, event.content))
  })
  pswp.on('contentDestroy', ({ content }) => {
    cleanups.get(content)?.()
    cleanups.delete(content)
  })
  pswp.on('imageSizeChange', ({ slide, width, content }) => {
    const { tile, srcset = '' } = content.data as ViewerSlide
    const photo = getPhoto(tile.id).peek()
    const image = content.element
    // The address of the full size may have been loaded for an earlier version.
    if (!photo || !(image instanceof HTMLImageElement) || srcset.includes('version=')) return
    const isFitted = slide.currentResolution <= slide.zoomLevels.initial
    const original = { ...tile, mime_type: photo.mime_type }
    if (!needsFullSize({ photo: original, shownWidth: width, pixelRatio: devicePixelRatio, isFitted })) return
    const fullSrcset = `${srcset}, ${photoPath(page, tile.id)} ${tile.width}w`
    // The browser shows the current picture until the larger one is loaded.
    if (image.srcset !== fullSrcset) image.srcset = fullSrcset
  })
}

function loadPicture(pswp: PhotoSwipe, content: Content): () => void {
  const { tile, src = '', srcset = '', alt = '' } = content.data as ViewerSlide
  const image = content.element as HTMLImageElement
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  let hasFailed = false

  const load = () => {
    clearTimeout(timer)
    content.updateSrcsetSizes()
    // Setting the same value again starts a new request.
    image.srcset = srcset
    image.src = src
  }
  image.alt = alt
  image.onload = () => {
    hasFailed = false
    setPictureNote(tile.id, null)
    image.style.visibility = ''
    content.onLoaded()
  }
  image.onerror = async () => {
    hasFailed = true
    // Without this, the browser would draw its broken-image icon over the thumbnail.
    image.style.visibility = 'hidden'
    const { note, retryInSeconds } = getPictureProblem(await fetchPictureResponse(image.currentSrc || src))
    if (hasEnded) return
    setPictureNote(tile.id, note)
    if (retryInSeconds !== null) timer = setTimeout(load, retryInSeconds * 1_000)
  }
  const retry = () => hasFailed && load()
  addEventListener('online', retry)
  content.state = 'loading'

  // Wait until the media type is known: an image element would load all bytes of a video.
  const unsubscribe = getPhoto(tile.id).subscribe((photo) => {
    if (hasEnded || !photo || image.src) return
    if (photo.media_type === 'image') load()
    else queueMicrotask(() => pswp.refreshSlideContent(content.index))
  })
  return () => {
    hasEnded = true
    clearTimeout(timer)
    removeEventListener('online', retry)
    unsubscribe()
  }
}
