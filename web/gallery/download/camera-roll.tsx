import { useEffect, useRef, useState } from 'preact/hooks'
import type { GalleryList } from '../../../contract/gallery/gallery.ts'
import { showNotice } from '../parts/notices.tsx'
import { call } from '../state/api.ts'
import { t } from '../state/page.ts'
import { canShareFiles, fetchPhoto, isClosedByGuest } from './share-files.ts'

/** What share sheets of phones take at once. */
const maxFiles = 25
/** What fits into the memory of a page on a phone, with one more file of `maxSharedBytes`. */
const maxBytes = 128 * 2 ** 20

export const hasCameraRoll = (): boolean => canShareFiles('image/jpeg')

/** Filters must leave a few hundred photos. */
type ChosenPhotos = { ids: readonly number[] } | { filters: Record<string, string> }

type Step =
  | { is: 'ready' }
  | { is: 'loading'; loaded: number; total: number }
  | { is: 'loaded'; files: File[] }
  | { is: 'done' }

/**
 * Saves photos to the photos of a phone by its share sheet, 25 at a time. Browsers open the sheet only right after a tap, so
 * the files are loaded first.
 */
export function CameraRoll({ photos }: { photos: ChosenPhotos }) {
  const [step, setStep] = useState<Step>({ is: 'ready' })
  const [missingCount, setMissingCount] = useState(0)
  const waiting = useRef<number[] | null>(null)
  const closing = useRef(new AbortController())
  useEffect(() => () => closing.current.abort(), [])

  async function load(): Promise<void> {
    const { signal } = closing.current
    try {
      waiting.current ??= await loadIds(photos)
      const batch = waiting.current.splice(0, maxFiles)
      if (batch.length === 0) return setStep({ is: 'done' })
      const files: File[] = []
      let bytes = 0
      for (const [index, id] of batch.entries()) {
        if (bytes > maxBytes) {
          waiting.current.unshift(...batch.slice(index))
          break
        }
        setStep({ is: 'loading', loaded: index, total: batch.length })
        const file = await fetchPhoto(id, signal)
        if (signal.aborted) return
        bytes += file?.size ?? 0
        if (file) files.push(file)
        else setMissingCount((count) => count + 1)
      }
      if (files.length === 0) return load()
      setStep({ is: 'loaded', files })
    } catch {
      setStep({ is: 'ready' })
      showNotice(t('failed'), { isError: true })
    }
  }

  async function share(files: File[]): Promise<void> {
    try {
      await navigator.share({ files })
      await load()
    } catch (error) {
      if (!isClosedByGuest(error)) showNotice(t('rollFailed'), { isError: true })
    }
  }

  return (
    <section class="zip-part">
      <h3>{t('rollTitle')}</h3>
      {step.is === 'ready' && (
        <button type="button" class="button" onClick={() => void load()}>
          {t('rollBegin')}
        </button>
      )}
      {step.is === 'loading' && (
        <p class="zip-preparing">
          <progress value={step.loaded} max={step.total} aria-label={t('rollTitle')} />
          <span role="status">{t('rollLoading', { total: step.total })}</span>
        </p>
      )}
      {step.is === 'loaded' && (
        <button type="button" class="button primary" onClick={() => void share(step.files)}>
          {t('rollSave', { count: step.files.length })}
        </button>
      )}
      <p class="zip-quiet" role="status">
        {step.is === 'done' ? t('rollDone') : t('rollHelp', { count: maxFiles })}
      </p>
      {missingCount > 0 && <p role="alert">{t('rollMissing', { count: missingCount })}</p>}
    </section>
  )
}

async function loadIds(chosen: ChosenPhotos): Promise<number[]> {
  if ('ids' in chosen) return [...chosen.ids]
  const { photos } = await call<typeof GalleryList>(`/photos?${new URLSearchParams(chosen.filters)}`)
  return photos.map(({ id }) => id)
}
