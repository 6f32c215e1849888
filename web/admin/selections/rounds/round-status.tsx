import type { RoundState } from '../../../../contract/gallery/rounds.ts'
import { translator } from '../../app/language.ts'
import { formatDay, formatNumber, formatRelativeTime, formatTime } from '../../components/format-time.ts'
import { Badge } from '../../components/page.tsx'
import { formatLocalDateTime } from '../../events/local-time.ts'
import type { PickingGuest } from '../../feedback/picks-query.ts'
import type { Round } from '../../feedback/rounds-query.ts'
import { ReceiptLink } from '../submitted-selections.tsx'
import { describePickCount, findMailObstacle, isOverdue, isSent } from './round-rules.ts'

const t = translator('rounds')
const tones = { open: 'plain', reopened: 'plain', submitted: 'warn', locked: 'good' } as const satisfies Record<
  RoundState,
  string
>

type Props = { round: Round | undefined; guest: PickingGuest; name: string; included: number | null }

export function RoundStatus({ round, guest: { handed_in: last }, name, included }: Props) {
  if (!round) {
    return (
      <span className="handed-in quiet-text">
        {included === null
          ? t('nothingPicked')
          : t('count_ofIncluded', { count: formatNumber(0), included: formatNumber(included) })}
      </span>
    )
  }
  const { state, reopening, selection_id: selectionId } = round
  const obstacle = findMailObstacle(round)
  const sentAt = state === 'locked' ? round.locked_at : round.submitted_at
  return (
    <span className="handed-in">
      <Badge tone={tones[state]}>{t(`state_${state}`)}</Badge>
      {round.number > 1 && <span>{t('roundNumber', { number: round.number })}</span>}
      <strong className="round-count">{formatPickCount(round)}</strong>
      {isSent(round) && sentAt && (
        <time dateTime={sentAt} title={formatTime(sentAt)} className="quiet-text">
          {formatRelativeTime(sentAt)}
        </time>
      )}
      <Due round={round} />
      {round.reminded_at && !isSent(round) && (
        <span className="quiet-text">{t('reminded', { when: formatRelativeTime(round.reminded_at) })}</span>
      )}
      {!isSent(round) && obstacle && <span className="quiet-text">{t(`mail_${obstacle}`)}</span>}
      {selectionId !== null && <ReceiptLink selectionId={selectionId} guest={name} />}
      {last?.note && last.id === selectionId && (
        <q className="handed-in-note" dir="auto">
          {last.note}
        </q>
      )}
      {isSent(round) && reopening && (
        <span className="round-asks">
          {t('asksToReopen', { guest: name })} {reopening.message && <q dir="auto">{reopening.message}</q>}
        </span>
      )}
      {state === 'reopened' && round.message && (
        <span className="quiet-text">
          {t('yourMessage')} <q dir="auto">{round.message}</q>
        </span>
      )}
    </span>
  )
}

function Due({ round }: { round: Round }) {
  if (round.due_on === null || isSent(round)) return null
  const today = formatLocalDateTime(new Date().toISOString()).slice(0, 10)
  const words = { date: formatDay(round.due_on) }
  return isOverdue(round, today) ? (
    <Badge tone="bad">{t('overdue', words)}</Badge>
  ) : (
    <span className="quiet-text">{t('due', words)}</span>
  )
}

function formatPickCount(round: Round): string {
  const values = {
    count: formatNumber(round.count),
    minimum: formatNumber(round.minimum),
    included: formatNumber(Math.min(round.included, round.maximum ?? round.included)),
    extra: formatNumber(round.extra_count),
    excess: formatNumber(round.count - (round.maximum ?? round.count)),
  }
  return t(`count_${describePickCount(round)}`, values)
}
