import { useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { createRandomId } from '../../shared/create-random-id.ts'
import { createFilterQuery, navigateToQuery } from '../filters/navigate-to-query.ts'
import { formatSentDay, isSelectionChanged, lastSelection } from '../marks/last-selection.ts'
import { handlePreloadFailure, isDialogOpen } from '../parts/open-dialog.tsx'
import { preloadLater } from '../parts/preload-later.ts'
import { publishBarHeight } from '../parts/publish-bar-height.ts'
import { pickFilter, t } from '../state/page.ts'
import { asked, counts } from '../state/photos.ts'
import { focusPicksBar } from './focus-picks-bar.ts'
import { canLoadSubmitDialog, loadSubmitDialog, openSubmitDialog } from './open-submit-dialog.ts'
import { readPending, refusedField, sendStage, storeNewPending } from './pending-selection.ts'
import { beginSending, loadQuickSend } from './send-pending.ts'

/** The first markup must match the server's (server/gallery/pages/picks-bar.ts). */
export function PicksBar() {
  const count = counts.value[pickFilter]
  const last = lastSelection.value
  const isChanged = isSelectionChanged.value
  return (
    <PicksPill isSent={last !== null && !isChanged} label={count > 0 ? t('picks', { count }) : t('picksNone')}>
      {last && (
        <p class="sent-note" role="status">
          {t(isChanged ? 'picksChanged' : last.notified_at ? 'picksNotified' : 'picksSent', {
            date: formatSentDay(last.created_at),
          })}
        </p>
      )}
    </PicksPill>
  )
}

type PillProps = {
  isSent: boolean
  /** Without the button that sends the picks. */
  isLocked?: boolean
  label: ComponentChildren
  children: ComponentChildren
}

export function PicksPill({ isSent, isLocked, label, children }: PillProps) {
  const count = counts.value[pickFilter]
  const isShown = asked.value.filter === pickFilter
  const picksQuery = createFilterQuery(isShown ? {} : { filter: pickFilter })
  const again = lastSelection.value ? 'sendPicksAgain' : 'sendPicks'
  const isPending = sendStage.value !== null && sendStage.value !== 'sent'
  const pill = useRef<HTMLDivElement>(null)
  useEffect(() => publishBarHeight(pill.current?.parentElement, '--picks'), [])
  useEffect(focusOnSkip, [])
  useEffect(shrinkWhileScrolling, [])
  useEffect(preloadSending, [count > 0])
  useSignalEffect(() => {
    if (refusedField.value !== null) openSubmitDialog()
  })
  return (
    <div ref={pill} class={`pill${count > 0 ? ' some' : ''}${isSent ? ' sent' : ''}`}>
      {children}
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
          {label}
        </a>
        {count > 0 && !isLocked && (
          <button
            type="button"
            class="send-picks"
            aria-label={isPending ? undefined : t(again)}
            aria-disabled={sendStage.value === 'sending' ? 'true' : undefined}
            onClick={sendPicks}
          >
            {t(isPending ? 'sendNow' : `${again}Short`)}
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

const restAfterMs = 400

/** Makes the bar smaller as long as the page moves. */
function shrinkWhileScrolling(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const setScrolling = (isScrolling: boolean) => document.documentElement.classList.toggle('scrolling', isScrolling)
  const onScroll = () => {
    setScrolling(true)
    clearTimeout(timer)
    timer = setTimeout(setScrolling, restAfterMs, false)
  }
  addEventListener('scroll', onScroll, { passive: true })
}

/** Soon loads what sends picks, so that it also works if the connection is lost. Returns a function that cancels it. */
const preloadSending = (): (() => void) =>
  preloadLater(() => Promise.all([loadQuickSend(), loadSubmitDialog()]).catch(handlePreloadFailure))

let isOpening = false

/** Opens the dialog. While a selection counts down or waits, sends it now. */
async function sendPicks(): Promise<void> {
  // The second tap of a double tap.
  if (isOpening || isDialogOpen()) return
  if (readPending() !== null) return beginSending()
  isOpening = true
  const isLoaded = await canLoadSubmitDialog()
  isOpening = false
  if (isLoaded) return openSubmitDialog()
  // Without a connection, before the dialog was loaded, picks without a message are better than none.
  storeNewPending(createRandomId())
  beginSending()
}

function scrollToFirstPhoto(): void {
  const top = document.getElementById('gallery')?.offsetTop ?? 0
  if (scrollY > top) scrollTo(0, top)
}
