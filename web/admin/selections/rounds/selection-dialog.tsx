import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { SelectionDifference } from '../../../../contract/gallery/rounds.ts'
import { colorName } from '../../app/color-name.ts'
import { language, translator } from '../../app/language.ts'
import { buttonClass } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatTime } from '../../components/format-time.ts'
import { Icon } from '../../components/icon.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { type Round, receiptUrl } from '../../feedback/rounds-query.ts'
import { currentThumbnailUrl } from '../../photos/model/photo-urls.ts'
import { differenceQuery } from './round-mutations.ts'

const t = translator('rounds')
const tabs = ['difference', 'receipt'] as const

type Sent = Round & { selection_id: number }
type Props = {
  /** All rounds of a guest. */
  rounds: readonly Round[]
  name: string
  initialTab: (typeof tabs)[number]
  onClose: () => void
}

/** What a guest has sent in each round. */
export function SelectionDialog({ rounds, name, initialTab, onClose }: Props) {
  const [tab, setTab] = useState(initialTab)
  const sent = rounds.filter((round): round is Sent => round.selection_id !== null)
  return (
    <Dialog title={t('selectionsOf', { guest: name })} isOpen isWide onClose={onClose}>
      <fieldset className="chips">
        <legend className="heard">{t('show')}</legend>
        {tabs.map((one) => (
          <Chip key={one} isOn={one === tab} onClick={() => setTab(one)}>
            {t(one)}
          </Chip>
        ))}
      </fieldset>
      {sent.map((round) => (
        <section key={round.id} className="stack" aria-label={t('roundNumber', { number: round.number })}>
          <h3 className="round-title">
            {t('roundNumber', { number: round.number })}
            {round.submitted_at && <span className="quiet-text">{formatTime(round.submitted_at)}</span>}
          </h3>
          {tab === 'difference' ? <Difference round={round} /> : <Receipt round={round} />}
        </section>
      ))}
    </Dialog>
  )
}

function Receipt({ round: { event_id: eventId, selection_id: id } }: { round: Sent }) {
  const url = receiptUrl(eventId, id)
  return (
    <div className="buttons">
      <a className={buttonClass()} href={url} target="_blank" rel="noopener">
        <Icon name="print" />
        {t('openReceipt')}
      </a>
      <a className={buttonClass()} href={`${url}?format=csv&headers=${language}`} download>
        <Icon name="download" />
        {t('receiptCsv')}
      </a>
    </div>
  )
}

function Difference({ round: { event_id: eventId, selection_id: id } }: { round: Sent }) {
  const query = useQuery(differenceQuery(eventId, id))
  return <Loaded query={query}>{(difference) => <DifferenceLists eventId={eventId} {...difference} />}</Loaded>
}

function DifferenceLists({ eventId, from, added, removed, changed }: SelectionDifference & { eventId: number }) {
  if (!from) return <p className="quiet-text">{t('firstSelection')}</p>
  if (added.length + removed.length + changed.length === 0) return <p className="quiet-text">{t('noDifference')}</p>
  const lists: Array<
    [label: string, photos: ReadonlyArray<{ id: number; source_filename: string; marks?: ReactNode }>]
  > = [
    [t('added', { count: added.length }), added],
    [t('removed', { count: removed.length }), removed],
    [
      t('changed', { count: changed.length }),
      changed.map(({ before, after, ...photo }) => ({
        ...photo,
        marks: t('marksChanged', { before: formatMarks(before), after: formatMarks(after) }),
      })),
    ],
  ]
  return lists
    .filter(([, photos]) => photos.length > 0)
    .map(([label, photos]) => (
      <div key={label}>
        <h4>{label}</h4>
        <ul className="difference">
          {photos.map(({ id, source_filename: name, marks }) => (
            <li key={id}>
              <img src={currentThumbnailUrl(eventId, id)} alt="" loading="lazy" decoding="async" />
              <bdi>{name}</bdi>
              {marks && <span className="quiet-text">{marks}</span>}
            </li>
          ))}
        </ul>
      </div>
    ))
}

type Marks = SelectionDifference['changed'][number]['before']

const formatMarks = ({ rating, color_label: color, is_liked: isLiked }: Marks): string =>
  [rating && t('stars', { count: rating }), color && colorName(color), isLiked && t('liked')]
    .filter(Boolean)
    .join(', ') || t('noMarks')
