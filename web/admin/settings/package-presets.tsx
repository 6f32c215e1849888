import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PackagePreset } from '../../../contract/gallery/rounds.ts'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { settingsQuery } from '../app/query-client.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { findFieldMessage } from '../components/error-messages.ts'
import { SelectField, TextField } from '../components/field.tsx'
import { showNotice } from '../components/notices.tsx'
import { eventDefaultsQuery, eventTypesQuery } from '../events/event-queries.ts'
import {
  createPackageDraft,
  emptyPackageDraft,
  isPackageComplete,
  readPackageDraft,
} from '../events/package/package-draft.ts'
import { PackageFields } from '../events/package/package-fields.tsx'
import { typeLabel, useTypeLabels } from '../events/type-labels.ts'
import { EditableTable } from './editable-table.tsx'

const t = translator('rounds')
const tSettings = translator('settings')

/** A preset has no id, so its place in the list identifies it. */
type Row = PackagePreset & { index: number }

export function PackagePresets() {
  const query = useQuery({
    ...settingsQuery,
    select: ({ event_package_presets: presets }): Row[] => presets.map((preset, index) => ({ ...preset, index })),
  })
  const queries = useQueryClient()
  const typeOf = useTypeLabels()
  const presets = (query.data ?? []).map(({ index: _, ...preset }) => preset)
  const save = async (changed: PackagePreset[]) => {
    const saved = await unwrap(api.PUT('/api/admin/settings', { body: { event_package_presets: changed } }))
    queries.setQueryData(settingsQuery.queryKey, saved)
    await queries.invalidateQueries(eventDefaultsQuery)
  }
  return (
    <EditableTable
      title={t('presets')}
      description={t('presetsText')}
      addLabel={t('newPreset')}
      canEdit={useHasPermission()('settings.edit')}
      query={query}
      rowKey={({ index }) => index}
      columns={[
        { head: t('presetName'), cell: ({ name }) => <bdi>{name}</bdi> },
        {
          head: t('presetType'),
          isWideOnly: true,
          cell: ({ event_type: type }) => <bdi>{type ? typeOf(type) : t('anyType')}</bdi>,
        },
        { head: t('purpose'), isWideOnly: true, cell: ({ purpose }) => <bdi>{purpose}</bdi> },
        { head: t('included'), isNumeric: true, cell: ({ included }) => included },
      ]}
      removal={{
        question: () => t('deletePresetText'),
        send: ({ index }) => save(presets.toSpliced(index, 1)),
        notice: t('presetDeleted'),
      }}
      onRemoved={() => queries.invalidateQueries(settingsQuery)}
      renderDialog={(row, onClose) => {
        const index = row?.index ?? presets.length
        return (
          <PresetDialog
            row={row}
            index={index}
            onSave={(preset) => save(presets.toSpliced(index, 1, preset))}
            onClose={onClose}
          />
        )
      }}
    />
  )
}

type DialogProps = {
  row: Row | null
  index: number
  onSave: (preset: PackagePreset) => Promise<void>
  onClose: () => void
}

function PresetDialog({ row, index, onSave, onClose }: DialogProps) {
  const { data: types = [] } = useQuery(eventTypesQuery)
  const [draft, setDraft] = useState(row ? createPackageDraft(row) : emptyPackageDraft)
  const [name, setName] = useState(row?.name ?? '')
  const [type, setType] = useState(row?.event_type ?? '')
  const save = useMutation({
    mutationFn: () => onSave({ name: name.trim(), event_type: type || null, ...readPackageDraft(draft) }),
    onSuccess: () => {
      showNotice(tSettings('saved'))
      onClose()
    },
  })
  const errorText = (field: string) => findFieldMessage(save.error, `event_package_presets/${index}/${field}`)
  return (
    <ActionDialog
      title={row ? tSettings('changeNamed', { name: row.name }) : t('newPreset')}
      action={tSettings('save')}
      mutation={save}
      isReady={name.trim() !== '' && isPackageComplete(draft)}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t('presetName')}
        help={t('presetNameHelp')}
        maxLength={60}
        required
        value={name}
        onChange={({ target }) => setName(target.value)}
        errorText={errorText('name')}
      />
      <SelectField label={t('presetType')} value={type} onChange={({ target }) => setType(target.value)}>
        <option value="">{t('anyType')}</option>
        {types.map((one) => (
          <option key={one.slug_prefix} value={one.slug_prefix}>
            {typeLabel(one)}
          </option>
        ))}
      </SelectField>
      <PackageFields draft={draft} onChange={(more) => setDraft({ ...draft, ...more })} errorText={errorText} />
    </ActionDialog>
  )
}
