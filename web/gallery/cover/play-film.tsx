import './film.css'
import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { AnyIcon } from '../parts/any-icon.tsx'
import { t } from '../state/page.ts'

/** Plays the film of a cover over its still, without sound, with a button that pauses it. The still stays if it fails. */
export function playFilm(cover: HTMLElement): void {
  const { film: src = '' } = cover.dataset
  delete cover.dataset.film
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (connection?.saveData || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const video = Object.assign(document.createElement('video'), { src, muted: true, loop: true, playsInline: true })
  video.ariaHidden = 'true'
  const tryToPlay = () => void video.play().catch(() => undefined)
  let isPausedByGuest = false
  const toggle = () => {
    isPausedByGuest = !video.paused
    if (isPausedByGuest) video.pause()
    else tryToPlay()
  }
  const show = () => {
    const place = document.createElement('div')
    cover.append(video, place)
    render(<PauseButton video={video} onClick={toggle} />, place)
    new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === false) video.pause()
      else if (!isPausedByGuest) tryToPlay()
    }).observe(cover)
  }
  video.addEventListener('playing', show, { once: true })
  tryToPlay()
}

function PauseButton({ video, onClick }: { video: HTMLVideoElement; onClick: () => void }) {
  const isPaused = useSignal(video.paused)
  for (const kind of ['onplay', 'onpause'] as const) {
    video[kind] = () => {
      isPaused.value = video.paused
    }
  }
  return (
    <button
      type="button"
      class="film-pause"
      aria-label={t(isPaused.value ? 'playFilm' : 'pauseFilm')}
      onClick={onClick}
    >
      <AnyIcon name={isPaused.value ? 'play' : 'pause'} />
    </button>
  )
}
