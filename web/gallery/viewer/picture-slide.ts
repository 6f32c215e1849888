import type PhotoSwipe from 'photoswipe'
import type { SlideData } from 'photoswipe'
import { photoPath, type TilePhoto } from '../../../contract/gallery-tiles.ts'
import { page } from '../state/page.ts'
import { photoOf } from '../state/photos.ts'
import { askWhy, troubleOf } from './picture-trouble.ts'
import { notePicture } from './viewing.ts'
import { needsFullSize } from './zoom-rules.ts'

export type ViewerSlide = SlideData & { tile: TilePhoto; type: 'image' | 'video' }

type Content = NonNullable<PhotoSwipe['currSlide']>['content']

/** A picture that fails leaves its thumbnail and a note, and is retried. */
export function showPictures(pswp: PhotoSwipe): void {
  const endings = new Map<Content, () => void>()
  pswp.on('contentLoadImage', (event) => {
    event.preventDefault()
    endings.get(event.content)?.()
    endings.set(event.content, loadPicture(pswp, event.content))
  })
  pswp.on('contentDestroy', ({ content }) => {
    endings.get(content)?.()
    endings.delete(content)
  })
  pswp.on('imageSizeChange', ({ slide, width, content }) => {
    const { tile, srcset = '' } = content.data as ViewerSlide
    const photo = photoOf(tile.id).peek()
    const image = content.element
    if (!photo || !(image instanceof HTMLImageElement)) return
    const isFitted = slide.currentResolution <= slide.zoomLevels.initial
    const zoomed = { photo: { ...tile, mime_type: photo.mime_type }, shownWidth: width, isFitted }
    if (!needsFullSize({ ...zoomed, pixelRatio: devicePixelRatio })) return
    const withFull = `${srcset}, ${photoPath(page, tile.id)} ${tile.width}w`
    // The browser shows the current picture until the larger one is loaded.
    if (image.srcset !== withFull) image.srcset = withFull
  })
}

function loadPicture(pswp: PhotoSwipe, content: Content): () => void {
  const { tile, src = '', srcset = '', alt = '' } = content.data as ViewerSlide
  const image = content.element as HTMLImageElement
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  let isTroubled = false

  const ask = () => {
    clearTimeout(timer)
    content.updateSrcsetSizes()
    // Setting the same value again starts a new request.
    image.srcset = srcset
    image.src = src
  }
  image.alt = alt
  image.onload = () => {
    isTroubled = false
    notePicture(tile.id, null)
    image.style.visibility = ''
    content.onLoaded()
  }
  image.onerror = async () => {
    isTroubled = true
    // Otherwise the browser draws its broken-image icon over the thumbnail.
    image.style.visibility = 'hidden'
    const { note, againAfterSeconds } = troubleOf(await askWhy(image.currentSrc || src))
    if (hasEnded) return
    notePicture(tile.id, note)
    if (againAfterSeconds !== null) timer = setTimeout(ask, againAfterSeconds * 1_000)
  }
  const askAgain = () => isTroubled && ask()
  addEventListener('online', askAgain)
  content.state = 'loading'

  // Wait until the media type is known: an image element would load all bytes of a video.
  const forget = photoOf(tile.id).subscribe((photo) => {
    if (hasEnded || !photo || image.src) return
    if (photo.media_type === 'image') ask()
    else queueMicrotask(() => pswp.refreshSlideContent(content.index))
  })
  return () => {
    hasEnded = true
    clearTimeout(timer)
    removeEventListener('online', askAgain)
    forget()
  }
}
