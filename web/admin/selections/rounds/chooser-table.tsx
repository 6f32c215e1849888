import './rounds.css'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { translator } from '../../app/language.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Table } from '../../components/table.tsx'
import { useCanChange, useEvent } from '../../events/event-context.tsx'
import { packageQuery } from '../../events/package/package-query.ts'
import type { PickingGuest } from '../../feedback/picks-query.ts'
import { type Round, roundsQuery } from '../../feedback/rounds-query.ts'
import { GuestChoice, type GuestsProps, useCollapsedGuests, useGuestMenu, useIsNarrow } from '../guest-parts.tsx'
import { PackageSummary } from './package-summary.tsx'
import { ReopenDialog } from './reopen-dialog.tsx'
import { NextStep, type RoundMenuChoice, RoundMenuItems } from './round-actions.tsx'
import { rankRound } from './round-rules.ts'
import { RoundStatus } from './round-status.tsx'
import { SelectionDialog } from './selection-dialog.tsx'

const t = translator('rounds')
const tFeedback = translator('feedback')

/** The package, and one line for each guest with the state of the round and the next step. */
export function Choosers(props: GuestsProps) {
  const { id: eventId } = useEvent()
  const { data: terms } = useQuery(packageQuery(eventId))
  const rounds = useQuery(roundsQuery(eventId))
  return (
    <>
      {terms && <PackageSummary terms={terms} />}
      {props.guests.length > 0 && (
        <Loaded query={rounds}>
          {(rounds) => <ChooserTable {...props} rounds={rounds} included={terms?.included ?? null} />}
        </Loaded>
      )}
    </>
  )
}

type OpenDialog = { kind: RoundMenuChoice; guest: PickingGuest; round: Round }
type Props = GuestsProps & {
  rounds: readonly Round[]
  /** How many photos a guest without a round may pick without extras. */
  included: number | null
}

function ChooserTable({ rounds, included, ...props }: Props) {
  const { guests, names, choice, onChoose } = props
  const isNarrow = useIsNarrow()
  const canEdit = useCanChange('photos.edit')
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const roundsOf = useMemo(() => Map.groupBy(rounds, ({ guest }) => guest.id), [rounds])
  const current = (guest: PickingGuest) => roundsOf.get(guest.id)?.find(({ is_current }) => is_current)
  const sorted = guests.toSorted((a, b) => rankRound(current(a)) - rankRound(current(b)))
  const { shown, showAll } = useCollapsedGuests(sorted, choice)
  const { renderMenu, dialogs } = useGuestMenu(props)
  const status = (guest: PickingGuest) => (
    <RoundStatus round={current(guest)} guest={guest} name={names.of(guest.id)} included={included} />
  )
  const nextStep = (guest: PickingGuest) => {
    const round = current(guest)
    return (
      canEdit &&
      round && (
        <NextStep
          key={round.id}
          round={round}
          name={names.of(guest.id)}
          onReopen={() => setDialog({ kind: 'reopen', guest, round })}
        />
      )
    )
  }
  const menu = (guest: PickingGuest) => {
    const round = current(guest)
    const sent = (roundsOf.get(guest.id) ?? []).filter(({ selection_id }) => selection_id !== null)
    if (!round) return renderMenu(guest)
    return renderMenu(
      guest,
      <RoundMenuItems
        round={round}
        guest={guest}
        hasSelections={sent.length > 0}
        canEdit={canEdit}
        onChoose={(kind) => setDialog({ kind, guest, round })}
      />,
    )
  }
  return (
    <>
      <Table
        caption={tFeedback('guestsCaption')}
        rows={shown}
        rowKey={({ id }) => id}
        columns={[
          {
            head: tFeedback('guest'),
            cell: (guest) => (
              <>
                <GuestChoice guest={guest} names={names} choice={choice} onChoose={onChoose} />
                {isNarrow && (
                  <div className="guest-submitted">
                    {status(guest)}
                    {nextStep(guest)}
                  </div>
                )}
              </>
            ),
          },
          ...(isNarrow
            ? []
            : [
                { head: t('state'), cell: status },
                { head: t('nextStep'), cell: nextStep },
              ]),
          { head: tFeedback('more'), isHeadHidden: isNarrow, cell: menu },
        ]}
      />
      {showAll}
      {dialogs}
      {dialog?.kind === 'reopen' && (
        <ReopenDialog round={dialog.round} name={names.of(dialog.guest.id)} onClose={() => setDialog(null)} />
      )}
      {(dialog?.kind === 'difference' || dialog?.kind === 'receipt') && (
        <SelectionDialog
          rounds={roundsOf.get(dialog.guest.id) ?? []}
          name={names.of(dialog.guest.id)}
          initialTab={dialog.kind}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  )
}
