import type PhotoSwipe from 'photoswipe'
import { thumbnailPath } from '../../../contract/gallery/gallery-tiles.ts'
import { getPhotoLabel } from '../grid/tile.tsx'
import { getRouteUrl } from '../state/api.ts'
import { page } from '../state/page.ts'
import { getPhoto } from '../state/photos.ts'
import { fetchPictureResponse, getPictureProblem } from './picture-problem.ts'
import type { ViewerSlide } from './picture-slide.ts'
import { setPictureNote } from './viewer-state.ts'

/** The height of the browser's player controls. PhotoSwipe must not handle touches there. */
const playerControlsPx = 72

export function showVideos(pswp: PhotoSwipe): void {
  pswp.on('contentLoad', (event) => {
    const { content } = event
    if (content.type !== 'video') return
    event.preventDefault()
    content.element = createPlayer(content.data as ViewerSlide, content.index, pswp.getNumItems())
  })
  pswp.on('contentActivate', ({ content }) => {
    const video = findVideo(content.element)
    if (!video || !content.element) return
    content.element.inert = false
    video.preload = 'metadata'
  })
  pswp.on('contentDeactivate', ({ content }) => stop(content.element))
  pswp.on('contentRemove', ({ content }) => findVideo(content.element)?.pause())
  pswp.on('close', () => findVideo(pswp.currSlide?.content.element)?.pause())

  pswp.on('pointerDown', (event) => {
    const { target, clientY } = event.originalEvent
    if (!(target instanceof HTMLVideoElement)) return
    if (target.getBoundingClientRect().bottom - clientY < playerControlsPx) event.preventDefault()
  })
  pswp.addFilter(
    'preventPointerEvent',
    (isPrevented, { target }) => isPrevented && !(target instanceof HTMLVideoElement),
  )
}

export const findVideo = (element: Element | undefined): HTMLVideoElement | null =>
  element?.querySelector('video') ?? null

function stop(element: HTMLElement | undefined): void {
  const video = findVideo(element)
  if (!video || !element) return
  video.pause()
  // A player outside of the window must not be reachable by Tab.
  element.inert = true
}

function createPlayer({ tile }: ViewerSlide, index: number, total: number): HTMLDivElement {
  const photo = getPhoto(tile.id).peek()
  const address = getRouteUrl(`/photo/${tile.id}`)
  const video = document.createElement('video')
  video.controls = true
  video.playsInline = true
  video.preload = 'none'
  if (photo?.thumbhash) video.poster = thumbnailPath(page, tile.id)
  video.setAttribute('aria-label', getPhotoLabel(photo, index + 1, total))
  video.onloadedmetadata = () => setPictureNote(tile.id, null)
  video.onerror = async () => {
    const { note, retryInSeconds } = getPictureProblem(await fetchPictureResponse(address), true)
    setPictureNote(tile.id, note)
    if (retryInSeconds !== null) setTimeout(() => video.isConnected && video.load(), retryInSeconds * 1_000)
  }
  video.src = address
  const place = document.createElement('div')
  place.className = 'pswp__content viewer-video'
  place.inert = true
  place.append(video)
  return place
}
