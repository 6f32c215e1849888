import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PackagePreset } from '../../../../contract/gallery/rounds.ts'
import { ApiError } from '../../../shared/api-error.ts'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { Button, Buttons } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { findFieldMessage } from '../../components/error-messages.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import type { EventSummary } from '../actions/event-mutations.ts'
import type { Event } from '../event-context.tsx'
import { changeEvent, eventDefaultsQuery, eventQuery, updateCachedEvent } from '../event-queries.ts'
import {
  createPackageDraft,
  emptyPackageDraft,
  findOnlyPreset,
  isPackageComplete,
  proposePresets,
  readPackageDraft,
} from './package-draft.ts'
import { PackageFields } from './package-fields.tsx'
import { changePackage, type Package, packageQuery, pickersQuery } from './package-query.ts'

const t = translator('rounds')

type Props = { event: EventSummary; onClose: () => void }

export function PackageDialog({ event: { id }, onClose }: Props) {
  const event = useQuery(eventQuery(id))
  const saved = useQuery(packageQuery(id))
  const canRead = useHasPermission()('events.create')
  const defaults = useQuery({ ...eventDefaultsQuery, enabled: canRead })
  const [isRemoving, setRemoving] = useState(false)
  if (!event.data || saved.data === undefined || defaults.isLoading) {
    return (
      <Dialog title={t('package')} isOpen onClose={onClose}>
        <Loaded query={saved}>{() => null}</Loaded>
      </Dialog>
    )
  }
  if (isRemoving) return <RemoveDialog eventId={id} onClose={onClose} />
  return (
    <PackageForm
      event={event.data}
      saved={saved.data}
      presets={proposePresets(defaults.data?.package_presets ?? [], event.data.event_type)}
      onRemove={() => setRemoving(true)}
      onClose={onClose}
    />
  )
}

type FormProps = {
  event: Event
  saved: Package | null
  presets: PackagePreset[]
  onRemove: () => void
  onClose: () => void
}

function PackageForm({ event, saved, presets, onRemove, onClose }: FormProps) {
  const preset = saved ? null : findOnlyPreset(presets, event.event_type)
  const terms = saved ?? preset
  const [draft, setDraft] = useState(terms ? createPackageDraft(terms) : emptyPackageDraft)
  const [dueOn, setDueOn] = useState(saved?.due_on ?? '')
  const save = useMutation({
    mutationFn: () =>
      changePackage(event.id, {
        ...readPackageDraft(draft),
        due_on: dueOn || null,
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }),
    onSuccess: () => {
      showNotice(t('packageSaved'))
      onClose()
    },
  })
  const arePicksOff =
    !event.allow_favorites ||
    !event.feedback_enabled ||
    (save.error instanceof ApiError && save.error.code === 'INVALID_STATE')
  return (
    <ActionDialog
      title={t('package')}
      description={t('packageText')}
      action={t('save')}
      mutation={arePicksOff ? { ...save, isError: false } : save}
      fields={['purpose', 'included', 'minimum', 'maximum', 'extra_text', 'due_on']}
      isReady={isPackageComplete(draft) && !arePicksOff}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      {arePicksOff && <PicksOff event={event} onTurnedOn={save.reset} />}
      {!saved && <PicksSoFar eventId={event.id} />}
      {saved && <p className="package-note">{t('numbersApply')}</p>}
      {!saved && presets.length > 0 && (
        <PresetChoice presets={presets} initial={preset} onChoose={(preset) => setDraft(createPackageDraft(preset))} />
      )}
      <PackageFields
        draft={draft}
        onChange={(more) => setDraft({ ...draft, ...more })}
        errorText={(field) => findFieldMessage(save.error, field)}
      />
      <TextField
        type="date"
        label={t('dueOn')}
        help={t('dueOnHelp')}
        value={dueOn}
        onChange={({ target }) => setDueOn(target.value)}
        errorText={findFieldMessage(save.error, 'due_on')}
      />
      {saved && (
        <Buttons>
          <Button kind="quiet" icon="trash" onClick={onRemove}>
            {t('remove')}
          </Button>
        </Buttons>
      )}
    </ActionDialog>
  )
}

type PresetProps = {
  presets: readonly PackagePreset[]
  initial: PackagePreset | null
  onChoose: (preset: PackagePreset) => void
}

function PresetChoice({ presets, initial, onChoose }: PresetProps) {
  const [chosen, setChosen] = useState(initial ? String(presets.indexOf(initial)) : '')
  return (
    <SelectField
      label={t('preset')}
      value={chosen}
      onChange={({ target }) => {
        setChosen(target.value)
        const preset = presets[Number(target.value)]
        if (target.value !== '' && preset) onChoose(preset)
      }}
    >
      <option value="">{t('noPreset')}</option>
      {presets.map(({ name }, index) => (
        <option key={name} value={index}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

/** Says what happens to the picks that guests already have. */
function PicksSoFar({ eventId }: { eventId: number }) {
  const { data: count = 0 } = useQuery(pickersQuery(eventId))
  return count > 0 && <p className="package-note">{t('picksBecomeRounds', { count })}</p>
}

/** A package needs favorites, which guests give only while feedback is on. */
function PicksOff({ event, onTurnedOn }: { event: Event; onTurnedOn: () => void }) {
  const canEdit = useHasPermission()('events.edit')
  const turnOn = useMutation({
    mutationFn: () => changeEvent(event.id, { feedback_enabled: true, allow_favorites: true }),
    onSuccess: async (changed) => {
      await updateCachedEvent(changed)
      onTurnedOn()
    },
    onError: showError,
  })
  return (
    <div className="package-note warn" role="status">
      <p>{t('picksOff')}</p>
      {canEdit && (
        <Button icon="heart" isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
          {t('turnPicksOn')}
        </Button>
      )}
    </div>
  )
}

function RemoveDialog({ eventId, onClose }: { eventId: number; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => changePackage(eventId, null),
    onSuccess: () => {
      showNotice(t('packageRemoved'))
      onClose()
    },
  })
  return (
    <ActionDialog
      title={t('removeTitle')}
      description={t('removeText')}
      action={t('removeAction')}
      kind="danger"
      mutation={remove}
      onAction={() => remove.mutate()}
      onClose={onClose}
    />
  )
}
