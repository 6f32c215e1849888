import './selection-bar.css'
import { useEffect, useRef } from 'preact/hooks'
import { maxPicks, pickAll } from '../marks/pick-all.ts'
import { Icon } from '../parts/icon.tsx'
import { isDialogOpen, openDialog } from '../parts/open-dialog.tsx'
import { publishBarHeight } from '../parts/publish-bar-height.ts'
import { pickKind, t } from '../state/page.ts'
import { clearSelected, selectAllShown, selected, selectedIds, stopSelecting } from '../state/selection.ts'
import { canDownload, openDownload } from './open-download.ts'

/** The bar is at the bottom of the window, but before the photos in the DOM. */
export function SelectionBar() {
  const count = selected.value?.size ?? 0
  const bar = useRef<HTMLElement>(null)
  useSelectionShortcuts()
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
            <Icon name="heart" />
            {t('pick')}
          </button>
        )}
        {count >= 2 && count <= maxCompared && (
          <button type="button" class="action" aria-label={t('compare')} onClick={compareSelected}>
            <Icon name="compare" />
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
            <Icon name="download" />
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
        <Icon name="close" />
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

function useSelectionShortcuts(): void {
  useEffect(() => {
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
  }, [])
}
