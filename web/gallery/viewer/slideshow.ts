import { effect } from '@preact/signals'
import type PhotoSwipe from 'photoswipe'
import { isDialogOpen } from '../parts/open-dialog.tsx'
import { openLayer } from '../state/history-layers.ts'
import { findVideo } from './video-slide.ts'
import { isPlaying } from './viewer-state.ts'

const shownMs = 4_000
/** Controls hide after this time without pointer movement. */
const hideAfterMs = 2_000

export function watchSlideshow(pswp: PhotoSwipe): void {
  const end = effect(() => {
    if (!isPlaying.value) return
    const timer = setInterval(() => advance(pswp), shownMs)
    const showControls = hideControls(pswp)
    const releaseWakeLock = keepAwake()
    const leave = openLayer(stopPlaying)
    return () => {
      clearInterval(timer)
      showControls()
      releaseWakeLock()
      leave()
    }
  })
  pswp.on('close', stopPlaying)
  pswp.on('destroy', end)
}

function stopPlaying(): void {
  isPlaying.value = false
}

function advance(pswp: PhotoSwipe): void {
  const video = findVideo(pswp.currSlide?.content.element)
  if (video && !video.paused && !video.ended) return
  if (pswp.currIndex >= pswp.getNumItems() - 1) stopPlaying()
  // Wait while a dialog is open or the photo is zoomed.
  else if (!isDialogOpen() && !isZoomed(pswp)) fade(() => void pswp.mainScroll.moveIndexBy(1, false))
}

/** Browsers fade by themselves. Without motion, the next photo appears at once. */
function fade(move: () => void): void {
  const canFade = 'startViewTransition' in document && !matchMedia('(prefers-reduced-motion: reduce)').matches
  if (canFade) document.startViewTransition(move)
  else move()
}

const isZoomed = ({ currSlide }: PhotoSwipe): boolean =>
  currSlide !== undefined && currSlide.currZoomLevel > currSlide.zoomLevels.initial * 1.01

function hideControls({ element }: PhotoSwipe): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = (isShown: boolean) => element?.classList.toggle('pswp--ui-visible', isShown)
  const wake = (event?: PointerEvent) => {
    // Touches are ignored here, because PhotoSwipe toggles the controls on touch.
    if (event && event.pointerType !== 'mouse') return
    if (event) show(true)
    clearTimeout(timer)
    timer = setTimeout(() => show(false), hideAfterMs)
  }
  wake()
  element?.addEventListener('pointermove', wake)
  return () => {
    clearTimeout(timer)
    element?.removeEventListener('pointermove', wake)
    if (element?.isConnected) show(true)
  }
}

/** Keeps the screen on. A wake lock ends when the page is hidden, so it is requested again on return. */
function keepAwake(): () => void {
  let lock: WakeLockSentinel | undefined
  let isActive = true
  const requestLock = async () => {
    if (document.visibilityState !== 'visible' || !navigator.wakeLock) return
    lock = await navigator.wakeLock.request('screen').catch(() => undefined)
    if (!isActive) void lock?.release()
  }
  void requestLock()
  document.addEventListener('visibilitychange', requestLock)
  return () => {
    isActive = false
    document.removeEventListener('visibilitychange', requestLock)
    void lock?.release()
  }
}
