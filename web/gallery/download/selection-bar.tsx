import './selection-bar.css'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import { isPicked, pickMark, setMark } from '../marks/apply-mark.ts'
import { ensureGuestName } from '../marks/guest-name.ts'
import { roundHooks } from '../marks/round-hooks.ts'
import { AnyIcon } from '../parts/any-icon.tsx'
import { showNotice } from '../parts/notices.tsx'
import { isDialogOpen, openDialog } from '../parts/open-dialog.tsx'
import { publishBarHeight } from '../parts/publish-bar-height.ts'
import { pickKind, t } from '../state/page.ts'
import { getPhoto, loadDetails, outline } from '../state/photos.ts'
import { clearSelected, selectAllShown, selected, selectedIds, stopSelecting } from '../state/selection.ts'
import { canDownload, openDownload } from './open-download.ts'

export function SelectionBar() {
  const count = selected.value?.size ?? 0
  const bar = useRef<HTMLElement>(null)
  // An effect that runs later would miss a key that is pressed at once.
  useLayoutEffect(listenToKeys, [])
  useEffect(() => publishBarHeight(bar.current, '--selection'), [])
  return (
    <section ref={bar} class="selection-bar" aria-label={t('selection')}>
      <p class="selection-count" role="status">
        {count === 0 ? t('selectHint') : t('selectedCount', { count })}
      </p>
      <button type="button" class="action" aria-label={t('selectAll')} onClick={selectAllShown}>
        {t('all')}
      </button>
      <button type="button" class="action" disabled={count === 0} onClick={clearSelected}>
        {t('selectNone')}
      </button>
      <div class="selection-actions">
        {pickKind && (
          <button type="button" class="action" disabled={count === 0 || count > maxPicks} onClick={pickSelected}>
            <AnyIcon name="heart" />
            {t('pick')}
          </button>
        )}
        {count >= 2 && count <= maxCompared && (
          <button type="button" class="action" aria-label={t('compare')} onClick={compareSelected}>
            <AnyIcon name="compare" />
          </button>
        )}
        {canDownload && (
          <button
            type="button"
            class="action main"
            disabled={count === 0}
            aria-keyshortcuts="Control+Enter"
            onClick={downloadSelected}
          >
            <AnyIcon name="download" />
            {t('download')}
          </button>
        )}
      </div>
      <button
        type="button"
        class="round"
        aria-label={t('selectEnd')}
        aria-keyshortcuts="Escape"
        onClick={stopSelecting}
      >
        <AnyIcon name="close" />
      </button>
    </section>
  )
}

const maxCompared = 4

const compareSelected = () =>
  void openDialog(async () => (await import('../compare/compare.tsx')).Compare, { photoIds: selectedIds() })

const downloadSelected = () => void openDownload({ ids: selectedIds() })

function pickSelected(): void {
  const ids = selectedIds()
  stopSelecting()
  void pickAll(ids)
}

function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const isTyping = (event.target as Element).closest('input, textarea')
    if (isTyping || isDialogOpen() || event.defaultPrevented) return
    const isCommand = event.ctrlKey || event.metaKey
    if (event.key === 'Escape') stopSelecting()
    else if (isCommand && event.key === 'a') selectAllShown()
    else if (isCommand && event.key === 'Enter' && canDownload && selected.peek()?.size) downloadSelected()
    else return
    event.preventDefault()
  }
  addEventListener('keydown', onKey, { capture: true })
  return () => removeEventListener('keydown', onKey, { capture: true })
}

/** The service accepts 120 changes of a guest per minute, so sending more picks would take too long. */
const maxPicks = 300

/** Picks several photos and shows one notice. Undo reverts only the new picks. */
async function pickAll(ids: readonly number[]): Promise<void> {
  if (pickKind === null || !(await ensureGuestName())) return
  await loadMissingDetails(ids).catch(() => undefined)
  if (ids.some((id) => !getPhoto(id).peek())) return showNotice(t('notLoaded'), { isError: true })
  const newPicks = ids.filter((id) => {
    const photo = getPhoto(id).peek()
    return photo && !isPicked(photo)
  })
  if (newPicks.length > 0 && roundHooks.peek()?.allowsMark(pickMark(true), newPicks.length) === false) return
  setPicks(newPicks, true)
  const videoCount = ids.filter((id) => getPhoto(id).peek()?.media_type === 'video').length
  showNotice(t('pickedAll', { photos: formatPhotoCount(t, ids.length, videoCount) }), {
    undo: () => setPicks(newPicks, false),
  })
}

function setPicks(ids: readonly number[], isOn: boolean): void {
  for (const id of ids) setMark(id, pickMark(isOn))
}

async function loadMissingDetails(ids: readonly number[]): Promise<void> {
  const missingIds = new Set(ids.filter((id) => !getPhoto(id).peek()))
  const places = outline.peek().flatMap(({ id }, index) => (missingIds.has(id) ? [index] : []))
  await Promise.all(places.map((place) => loadDetails(place, place + 1)))
}
