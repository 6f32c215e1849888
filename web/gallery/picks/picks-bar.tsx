import { useEffect, useRef } from 'preact/hooks'
import { openDialog } from '../parts/open-dialog.tsx'
import { publishBarHeight } from '../parts/publish-bar-height.ts'
import { pickFilter, t } from '../state/page.ts'
import { asked, counts } from '../state/photos.ts'
import { createFilterQuery, navigateToQuery } from '../tools/navigate-to-query.ts'
import { formatSentDay, isSelectionChanged, lastSelection } from './last-selection.ts'

/** The first markup must match the server's (`picksBar` in server/gallery-pages/gallery-page.ts). */
export function PicksBar() {
  const count = counts.value[pickFilter]
  const isShown = asked.value.filter === pickFilter
  const picksQuery = createFilterQuery(isShown ? {} : { filter: pickFilter })
  const last = lastSelection.value
  const isChanged = isSelectionChanged.value
  const pill = useRef<HTMLDivElement>(null)
  useEffect(() => publishBarHeight(pill.current?.parentElement, '--picks'), [])
  return (
    <div ref={pill} class={`pill${count > 0 ? ' some' : ''}${last && !isChanged ? ' sent' : ''}`}>
      {last && (
        <p class="sent-note" role="status">
          {t(isChanged ? 'picksChanged' : 'picksSent', { date: formatSentDay(last.created_at) })}
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
            aria-label={t(last ? 'sendPicksAgain' : 'sendPicks')}
            onClick={sendPicks}
          >
            {t(last ? 'sendPicksAgainShort' : 'sendPicksShort')}
          </button>
        )}
      </div>
    </div>
  )
}

const sendPicks = () => openDialog(async () => (await import('./submit-dialog.tsx')).SubmitDialog, {})

function scrollToFirstPhoto(): void {
  const top = document.getElementById('gallery')?.offsetTop ?? 0
  if (scrollY > top) scrollTo(0, top)
}
