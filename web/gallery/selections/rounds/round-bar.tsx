import type { GuestRound } from '../../../../contract/gallery/rounds.ts'
import { formatRoundCount, formatRoundHint, formatSentState, isRoundSent } from '../../../../locales/describe-round.ts'
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
  const isSent = isRoundSent(round)
  const setAside = setAsideMarks.value.length
  const label = <span role="status">{formatRoundCount(t, round, counts.value.favorited)}</span>
  return (
    <PicksPill isSent={isSent} label={label} {...(isSent && { action: <EarlyButton round={round} /> })}>
      {isSent ? <SentNote /> : round.message !== null && <MessageNote message={round.message} />}
      <StateNote round={round} />
      {setAside > 0 && (
        <p class="sent-note" role="status">
          <button type="button" class="link" aria-haspopup="dialog" onClick={openSetAsideSheet}>
            {t('roundAsideTitle', { count: setAside })}
          </button>
        </p>
      )}
    </PicksPill>
  )
}

function SentNote() {
  const last = lastSelection.value
  if (last === null) return null
  return (
    <p class="sent-note" role="status">
      {t('roundSent', { number: last.number, date: formatSentDay(last.created_at) })} ·{' '}
      <a href={getRouteUrl(`/selections/${last.number}/receipt`)} target="_blank" rel="noopener">
        {t('roundReceipt')}
      </a>
    </p>
  )
}

const MessageNote = ({ message }: { message: string }) => (
  <p class="sent-note" role="status">
    <q dir="auto">{message}</q>
  </p>
)

/** What is to be done, or what the photographer does next, and from the second round on what has changed. */
function StateNote({ round }: { round: GuestRound }) {
  const text = isRoundSent(round)
    ? formatSentState(t, round)
    : formatRoundHint(t, round, { count: counts.value.favorited, locale: readerLocale, now: Date.now() })
  if (text === '' && round.number === 1) return null
  return (
    <p class="sent-note" role="status">
      {text}
      {text !== '' && round.number > 1 && ' · '}
      {round.number > 1 && (
        <button type="button" class="link" aria-haspopup="dialog" onClick={openChanges}>
          {t('roundChanges')}
        </button>
      )}
    </p>
  )
}

function EarlyButton({ round }: { round: GuestRound }) {
  if (round.is_reopening_asked) return null
  return (
    <button type="button" class="send-picks" aria-label={t('roundTooEarly')} onClick={openAsk}>
      {t('roundTooEarly')}
    </button>
  )
}
