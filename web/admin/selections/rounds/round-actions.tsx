import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import type { IconName } from '../../components/icon.tsx'
import { MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import { useEvent } from '../../events/event-context.tsx'
import type { PickingGuest } from '../../feedback/picks-query.ts'
import type { Round } from '../../feedback/rounds-query.ts'
import { markSelection } from '../../feedback/selections-query.ts'
import { acceptRound, remindGuest, useRoundMutation } from './round-mutations.ts'
import { listRoundActions, type RoundAction } from './round-rules.ts'

const t = translator('rounds')
const icons = { accept: 'lock', remind: 'mail', reopen: 'restore' } as const satisfies Record<RoundAction, IconName>

const runs = { accept: acceptRound, remind: remindGuest }

type StepProps = { round: Round; name: string; onReopen: () => void }

export function NextStep({ round, name, onReopen }: StepProps) {
  const { id: eventId } = useEvent()
  const [action] = listRoundActions(round)
  const run = useRoundMutation(
    eventId,
    (of: 'accept' | 'remind') => runs[of](round),
    () => showNotice(t(action === 'remind' ? 'remindedNow' : 'accepted', { guest: name })),
  )
  if (!action) return null
  const isUrgent = round.state === 'submitted' || round.reopening !== null
  return (
    <Button
      className="round-step"
      kind={isUrgent ? 'primary' : 'plain'}
      icon={icons[action]}
      isBusy={run.isPending}
      aria-label={t(`${action}Of`, { guest: name })}
      onClick={() => (action === 'reopen' ? onReopen() : run.mutate(action, { onError: showError }))}
    >
      {t(action)}
    </Button>
  )
}

export type RoundMenuChoice = 'reopen' | 'difference' | 'receipt'

type ItemsProps = {
  round: Round
  guest: PickingGuest
  hasSelections: boolean
  canEdit: boolean
  onChoose: (choice: RoundMenuChoice) => void
}

/** What is not the next step. */
export function RoundMenuItems({ round, guest: { handed_in: last }, hasSelections, canEdit, onChoose }: ItemsProps) {
  const { id: eventId } = useEvent()
  const accept = useRoundMutation(
    eventId,
    () => acceptRound(round),
    () => {},
  )
  const mark = useRoundMutation(
    eventId,
    async () => last && markSelection(last.id, last.done_at ? 'open' : 'done'),
    () => {},
  )
  const others = canEdit ? listRoundActions(round).slice(1) : []
  if (!hasSelections) return null
  return (
    <>
      {others.includes('accept') && (
        <MenuItem icon={icons.accept} onSelect={() => accept.mutate(undefined, { onError: showError })}>
          {t('accept')}
        </MenuItem>
      )}
      {others.includes('reopen') && (
        <MenuItem icon={icons.reopen} onSelect={() => onChoose('reopen')}>
          {t('reopenMenu')}
        </MenuItem>
      )}
      <MenuItem icon="photos" onSelect={() => onChoose('difference')}>
        {t('differenceMenu')}
      </MenuItem>
      <MenuItem icon="print" onSelect={() => onChoose('receipt')}>
        {t('receiptMenu')}
      </MenuItem>
      {canEdit && last && (
        <MenuItem
          icon={last.done_at ? 'refresh' : 'check'}
          onSelect={() => mark.mutate(undefined, { onError: showError })}
        >
          {t(last.done_at ? 'markUnseen' : 'markSeen')}
        </MenuItem>
      )}
      <MenuSeparator />
    </>
  )
}
