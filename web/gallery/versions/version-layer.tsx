import './versions.css'
import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Size } from '../../shared/picture/linked-view.ts'
import { showNotice } from '../parts/notices.tsx'
import { isDialogOpen } from '../parts/open-dialog.tsx'
import { useMeasured } from '../parts/use-measured.ts'
import { handlesKeyItself } from '../shortcuts/shortcut-table.ts'
import { canAnnotate, canComment, canWriteNotes, t } from '../state/page.ts'
import { areShortcutsOn } from '../state/shortcuts.ts'
import type { PictureFrame } from '../threads/mark-geometry.ts'
import { loadThreads } from '../threads/photo-threads.ts'
import {
  found,
  isHeld,
  loadVersions,
  newest,
  setViewedPhoto,
  showNewest,
  shown,
  versionSrcset,
} from './photo-versions.ts'
import { findHeld, isSameShape } from './version-rules.ts'

export { onNewPicture } from './photo-versions.ts'
export { VersionRow } from './version-row.tsx'

/** A guest who leafs through photos loads the versions only of those where he stays. */
const settleMs = 300

type Props = {
  photoId: number
  frame: PictureFrame
  isDrawing: Signal<boolean>
  /** Set while a version is shown whose shape is not that of the photo. */
  shownSize: Signal<Size | null>
}

/** Loads the versions of a photo, and shows an earlier one over its picture. */
export function VersionLayer({ photoId, frame, isDrawing, shownSize }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [failures, setFailures] = useState(0)
  const version = shown.value
  const isEarlier = version !== undefined && version !== newest.value
  useLayoutEffect(() => setViewedPhoto(photoId), [photoId])
  useEffect(() => watchVersions(photoId), [photoId])
  useEffect(watchKey, [])
  useLayoutEffect(() => (place.current ? frame.follow(place.current) : undefined), [photoId])
  // New marks are made on the newest version.
  useEffect(() => isDrawing.subscribe((isOn) => isOn && showNewest()), [])
  useLayoutEffect(() => {
    const isOther = isEarlier && newest.value && !isSameShape(version, newest.value)
    shownSize.value = isOther && version.width && version.height ? (version as Size) : null
  }, [version])

  const width = useMeasured(place, ({ clientWidth }) => clientWidth) ?? 0
  const widest = useRef(0)
  widest.current = Math.max(widest.current, width)
  // The version before is loaded, so that it is there at once.
  const picture = isEarlier ? version : version && findHeld(found.value?.versions ?? [], version)
  const fail = () => {
    setFailures(failures + 1)
    if (isEarlier) showNotice(t('versionUnloaded'), { isError: true })
    showNewest()
  }
  return (
    <>
      <div ref={place} class="version-place">
        {picture && picture !== newest.value && (failures === 0 || isEarlier) && (
          <img
            key={`${photoId} ${picture.number} ${failures}`}
            class={isEarlier ? 'shown' : ''}
            sizes={`${widest.current}px`}
            srcset={versionSrcset(photoId, picture)}
            alt={t('versionNumber', { number: picture.number })}
            onError={fail}
          />
        )}
      </div>
      <p class="heard" role="status">
        {isEarlier && t('versionOf', { number: version.number, total: newest.value?.number ?? 0 })}
      </p>
    </>
  )
}

/** Loads the versions soon, and again when the page becomes visible or the browser is online. */
function watchVersions(photoId: number): () => void {
  const load = () => {
    if (document.visibilityState === 'hidden') return
    loadVersions(photoId).catch(() => undefined)
    // The words of decisions. Otherwise the threads are loaded with the pins, or when the guest opens them.
    if (!canComment && !canWriteNotes && !canAnnotate) loadThreads(photoId).catch(() => undefined)
  }
  const timer = setTimeout(load, settleMs)
  const listening = new AbortController()
  document.addEventListener('visibilitychange', load, listening)
  addEventListener('online', load, listening)
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}

function watchKey(): () => void {
  const listening = new AbortController()
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (key.toLowerCase() !== 'v' || ctrlKey || metaKey || altKey || !areShortcutsOn.peek() || isDialogOpen()) return
    if (!handlesKeyItself(target as HTMLElement, key)) isHeld.value = true
  }
  const release = () => {
    isHeld.value = false
  }
  addEventListener('keydown', press, listening)
  for (const name of ['keyup', 'blur']) addEventListener(name, release, listening)
  return () => listening.abort()
}
