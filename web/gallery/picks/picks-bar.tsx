import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { guestName } from '../marks/guest-name.ts'
import { isDialogOpen } from '../parts/open-dialog.tsx'
import { publishBarHeight } from '../parts/publish-bar-height.ts'
import { createIdempotencyKey } from '../state/api.ts'
import { page, pickFilter, t } from '../state/page.ts'
import { asked, counts } from '../state/photos.ts'
import { storedDraft } from '../state/stored-draft.ts'
import { createFilterQuery, navigateToQuery } from '../tools/navigate-to-query.ts'
import { focusPicksBar } from './focus-picks-bar.ts'
import { formatSentDay, isSelectionChanged, lastSelection } from './last-selection.ts'
import { openSubmitDialog } from './open-submit-dialog.ts'
import { isLeftToBar, noteStorageKey, readPending, sendStage, storeNewPending } from './pending-selection.ts'
import { beginSending, preloadSending, sendWhenOnline } from './send-pending.ts'

/** The first markup must match the server's (`picksBar` in server/gallery-pages/gallery-page.ts). */
export function PicksBar() {
  const count = counts.value[pickFilter]
  const isShown = asked.value.filter === pickFilter
  const picksQuery = createFilterQuery(isShown ? {} : { filter: pickFilter })
  const last = lastSelection.value
  const isChanged = isSelectionChanged.value
  const isPending = sendStage.value !== null && sendStage.value !== 'sent'
  const pill = useRef<HTMLDivElement>(null)
  useEffect(() => publishBarHeight(pill.current?.parentElement, '--picks'), [])
  useEffect(focusOnSkip, [])
  useEffect(preloadSending, [count > 0])
  useSignalEffect(() => {
    if (!isLeftToBar.value) return
    isLeftToBar.value = false
    sendWhenOnline()
  })
  return (
    <div ref={pill} class={`pill${count > 0 ? ' some' : ''}${last && !isChanged ? ' sent' : ''}`}>
      {last && (
        <p class="sent-note" role="status">
          {t(isChanged ? 'picksChanged' : last.notified_at ? 'picksNotified' : 'picksSent', {
            date: formatSentDay(last.created_at),
          })}
        </p>
      )}
      <div class="pill-row">
        <a
          class="my-picks"
          href={`?${new URLSearchParams(picksQuery)}`}
          aria-current={isShown ? 'true' : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            navigateToQuery(picksQuery)
            scrollToFirstPhoto()
          }}
        >
          {count > 0 ? t('picks', { count }) : t('picksNone')}
        </a>
        {count > 0 && (
          <button
            type="button"
            class="send-picks"
            aria-label={isPending ? undefined : t(last ? 'sendPicksAgain' : 'sendPicks')}
            aria-disabled={sendStage.value === 'sending' ? 'true' : undefined}
            onClick={sendPicks}
          >
            {t(isPending ? 'sendNow' : last ? 'sendPicksAgainShort' : 'sendPicksShort')}
          </button>
        )}
      </div>
    </div>
  )
}

/** The skip link must not scroll to the end of the page, where the bar is without its sticky position. */
function focusOnSkip(): void {
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault()
    focusPicksBar()
  })
}

/** Sends after a countdown. Opens the dialog if a name is missing, a message is begun, or there is nothing new to send. */
function sendPicks(): void {
  // The second tap of a double tap.
  if (isDialogOpen()) return
  const isNameMissing = page.feedback.require_guest_name && !guestName.peek()
  const hasNews = lastSelection.peek() === null || isSelectionChanged.peek()
  const isPending = readPending() !== null
  if (!isPending && (isNameMissing || !hasNews || storedDraft(noteStorageKey))) {
    openSubmitDialog()
    return
  }
  if (!isPending) storeNewPending(createIdempotencyKey())
  beginSending()
}

function scrollToFirstPhoto(): void {
  const top = document.getElementById('gallery')?.offsetTop ?? 0
  if (scrollY > top) scrollTo(0, top)
}
