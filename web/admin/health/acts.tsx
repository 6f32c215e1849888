import './acts.css'
import { useId, useState } from 'react'
import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { IconButton } from '../components/button.tsx'
import { formatRelativeTime, formatTime } from '../components/format-time.ts'
import { ActRows } from './act-rows.tsx'
import { ActivityEvent, actionLabel } from './activity-parts.tsx'
import type { ActGroup } from './activity-search.ts'

const t = translator('health')

type Act = Schemas['Act']

export const ActLines = ({ acts, by, label }: { acts: Act[]; by: ActGroup; label: string }) => (
  <ul className="act-lines" aria-label={label}>
    {acts.map((act) => (
      <ActLine key={act.id} act={act} by={by} />
    ))}
  </ul>
)

function ActLine({ act, by }: { act: Act; by: ActGroup }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { event, last_at } = act
  const person = personOf(act)
  return (
    <li>
      <div className="act-line">
        <p className="act-words">
          {person && (
            <span className="activity-who" dir="auto">
              {person}
            </span>
          )}
          <span>{describeAct(act, by)}</span>
          {event && <ActivityEvent event={event} />}
        </p>
        <time dateTime={last_at} title={formatTime(last_at)}>
          {formatRelativeTime(last_at)}
        </time>
        {act.act !== 'visit' && (
          <IconButton
            icon={isOpen ? 'up' : 'down'}
            label={t(isOpen ? 'hideActs' : 'showActs', { act: describeAct(act, by) })}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          />
        )}
      </div>
      <div id={id}>{isOpen && <ActRows act={act} by={by} />}</div>
    </li>
  )
}

/** Returns null for visits, whose guests are not known. */
function personOf({ act, guest, user, is_locked }: Act): string | null {
  if (user) return user.username ?? t('formerAccount')
  if (is_locked) return t('nobodyKnown')
  return act === 'visit' ? null : (guest?.name ?? t('unnamedGuest'))
}

function describeAct({ act, is_locked, count }: Act, by: ActGroup): string {
  if (by === 'guests') return t(`guestAct_${act as 'favorite'}`, { count })
  if (act === 'uploadPhotos') return t('guestAct_upload', { count })
  const name = is_locked ? t('lockedSignIn') : actionLabel(act)
  return count > 1 ? t('manyTimes', { name, count }) : name
}
