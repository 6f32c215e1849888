import { useState } from 'react'
import { maxNoteLength } from '../../../../contract/text-lengths.ts'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { findFieldMessage } from '../../components/error-messages.ts'
import { TextArea, TextField } from '../../components/field.tsx'
import { formatNumber } from '../../components/format-time.ts'
import { showNotice } from '../../components/notices.tsx'
import { readMaximum } from '../../events/package/package-draft.ts'
import { NumberFields } from '../../events/package/package-fields.tsx'
import type { Round } from '../../feedback/rounds-query.ts'
import { reopenRound, useRoundMutation } from './round-mutations.ts'
import { findMailObstacle } from './round-rules.ts'

const t = translator('rounds')
const tProblems = translator('problems')

type Props = { round: Round; name: string; onClose: () => void }

/** Starts the next round. A lower maximum asks the guest to remove photos, and removes none. */
export function ReopenDialog({ round, name, onClose }: Props) {
  const [draft, setDraft] = useState({
    message: '',
    included: String(round.included),
    minimum: String(round.minimum),
    maximum: round.maximum === null ? '' : String(round.maximum),
    due_on: round.due_on ?? '',
  })
  const [isTried, setTried] = useState(false)
  const isBlank = draft.message.trim() === ''
  const change = (more: Partial<typeof draft>) => setDraft({ ...draft, ...more })
  const maximum = readMaximum(draft.maximum)
  const excess = maximum === null ? 0 : round.count - maximum
  const reopen = useRoundMutation(
    round.event_id,
    () =>
      reopenRound(round, {
        message: draft.message,
        included: Number(draft.included),
        minimum: Number(draft.minimum),
        maximum,
        due_on: draft.due_on || null,
      }),
    () => {
      showNotice(t('reopened', { guest: name }))
      onClose()
    },
  )
  const errorText = (field: string) => findFieldMessage(reopen.error, field)
  return (
    <ActionDialog
      title={t('reopenTitle', { guest: name })}
      description={t('reopenText', { number: round.number + 1 })}
      action={t('reopen')}
      mutation={reopen}
      fields={['message', 'included', 'minimum', 'maximum', 'due_on']}
      isReady={draft.included !== ''}
      onAction={() => (isBlank ? setTried(true) : reopen.mutate())}
      onClose={onClose}
    >
      {round.reopening?.message && (
        <p className="package-note">
          {t('asksToReopen', { guest: name })} <q dir="auto">{round.reopening.message}</q>
        </p>
      )}
      <TextArea
        label={t('message', { guest: name })}
        help={t(findMailObstacle(round) ? 'messageShown' : 'messageMailed')}
        rows={3}
        required
        maxLength={maxNoteLength}
        value={draft.message}
        onChange={({ target }) => change({ message: target.value })}
        errorText={isTried && isBlank ? tProblems('fault_required') : errorText('message')}
      />
      <NumberFields draft={draft} onChange={change} errorText={errorText} />
      <p className="package-note" role="status">
        {excess > 0
          ? t('cutTo', { guest: name, count: formatNumber(round.count), excess: formatNumber(excess) })
          : t('cutHelp', { count: round.count })}
      </p>
      <TextField
        type="date"
        label={t('dueOn')}
        value={draft.due_on}
        onChange={({ target }) => change({ due_on: target.value })}
        errorText={errorText('due_on')}
      />
    </ActionDialog>
  )
}
