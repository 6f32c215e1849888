import type { ComponentChildren } from 'preact'
import { formatRoundLabel, formatRoundState, isRoundSent } from '../../../../locales/describe-round.ts'
import { formatSentDay, lastSelection } from '../../marks/last-selection.ts'
import { getRouteUrl } from '../../state/api.ts'
import { readerLocale, t } from '../../state/page.ts'
import { counts } from '../../state/photos.ts'
import { PicksBar, PicksPill } from '../picks-bar.tsx'
import { openAsk, openChanges, openSetAsideSheet } from './open-sheets.ts'
import { ownRound } from './own-round.ts'
import { setAsideMarks } from './set-aside.ts'

/** The first markup must match the server's (`roundContent` in server/gallery/pages/picks-bar.ts). */
export function RoundBar() {
  const round = ownRound.value
  if (round === null) return <PicksBar />
  const { number, message, before_number, is_reopening_asked } = round
  const isSent = isRoundSent(round)
  const last = isSent ? lastSelection.value : null
  const setAside = setAsideMarks.value.length
  const count = counts.value.favorited
  const label = (
    <span class={isSent ? 'locked' : undefined} role="status">
      {formatRoundLabel(t, round, count)}
    </span>
  )
  return (
    <PicksPill isSent={isSent} isLocked={isSent} label={label}>
      {!isSent && message !== null && (
        <p class="sent-note" role="status">
          <q dir="auto">{message}</q>
        </p>
      )}
      <Notes
        notes={[
          last && t('roundSent', { number: last.number, date: formatSentDay(last.created_at) }),
          formatRoundState(t, round, { count, locale: readerLocale, now: Date.now() }),
          last && <Receipt number={last.number} text={t('roundReceipt')} />,
          before_number !== null && (
            <Receipt number={before_number} text={t('roundReceiptOf', { number: before_number })} />
          ),
          number > 1 && <Opener text={t('roundChanges')} onClick={openChanges} />,
          isSent && !is_reopening_asked && <Opener text={t('roundTooEarly')} onClick={openAsk} />,
          setAside > 0 && <Opener text={t('roundAsideTitle', { count: setAside })} onClick={openSetAsideSheet} />,
        ]}
      />
    </PicksPill>
  )
}

/** Those that are not empty, in one paragraph. No line begins with a dot. */
function Notes({ notes }: { notes: ComponentChildren[] }) {
  const first = notes.findIndex(Boolean)
  if (first < 0) return null
  return (
    <p class="sent-note" role="status">
      {notes.map((note, index) => note && [index > first && '\u00a0· ', note])}
    </p>
  )
}

const Receipt = ({ number, text }: { number: number; text: string }) => (
  <a href={getRouteUrl(`/selections/${number}/receipt`)} target="_blank" rel="noopener">
    {text}
  </a>
)

const Opener = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <button type="button" class="link" aria-haspopup="dialog" onClick={onClick}>
    {text}
  </button>
)
