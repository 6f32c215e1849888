import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { findFieldMessage } from '../components/error-messages.ts'
import { SelectField, TextField } from '../components/field.tsx'
import { showNotice } from '../components/notices.tsx'
import { eventTypesQuery } from '../events/event-queries.ts'
import { typeLabel } from '../events/type-labels.ts'
import { EditableTable } from './editable-table.tsx'

const t = translator('settings')

type EventType = Schemas['EventType']
type Theme = Schemas['ThemePreset']

const themes: Record<Theme, string> = {
  classic: 'Classic',
  linen: 'Linen',
  noir: 'Noir',
  meadow: 'Meadow',
  coast: 'Coast',
  slate: 'Slate',
}

export function EventTypesPage() {
  const query = useQuery(eventTypesQuery)
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries(eventTypesQuery)
  return (
    <EditableTable
      title={t('eventTypes')}
      description={t('typesText')}
      addLabel={t('newType')}
      canEdit={useHasPermission()('settings.edit')}
      query={query}
      rowKey={({ slug_prefix }) => slug_prefix}
      columns={[
        { head: t('name'), cell: (type) => <span dir="auto">{`${type.emoji} ${typeLabel(type)}`}</span> },
        { head: t('slugPrefix'), cell: ({ slug_prefix }) => <code>{slug_prefix}</code>, isWideOnly: true },
        { head: t('theme'), cell: ({ theme_preset }) => themes[theme_preset as Theme] ?? theme_preset },
      ]}
      removal={{
        question: () => t('deleteTypeText'),
        send: ({ slug_prefix }) =>
          unwrap(api.DELETE('/api/admin/event-types/{slug_prefix}', { params: { path: { slug_prefix } } })),
        notice: t('typeDeleted'),
      }}
      onRemoved={refresh}
      renderDialog={(type, onClose) => <TypeDialog type={type} onClose={onClose} onSaved={refresh} />}
    />
  )
}

type DialogProps = { type: EventType | null; onClose: () => void; onSaved: () => void }

function TypeDialog({ type, onClose, onSaved }: DialogProps) {
  const save = useMutation({
    mutationFn: ({ slug_prefix, ...body }: Schemas['CreateEventTypeBody']): Promise<unknown> =>
      type
        ? unwrap(
            api.PUT('/api/admin/event-types/{slug_prefix}', {
              params: { path: { slug_prefix: type.slug_prefix } },
              body,
            }),
          )
        : unwrap(api.POST('/api/admin/event-types', { body: { slug_prefix, ...body } })),
    onSuccess: () => {
      onSaved()
      onClose()
      showNotice(t('saved'))
    },
  })
  const onAction = (form: FormData) =>
    save.mutate({
      slug_prefix: String(form.get('slug_prefix') ?? ''),
      name: String(form.get('name')),
      emoji: String(form.get('emoji')),
      theme_preset: form.get('theme_preset') as Theme,
    })
  return (
    <ActionDialog
      title={type ? t('changeNamed', { name: type.name }) : t('newType')}
      onClose={onClose}
      action={t('save')}
      mutation={save}
      fields={['name', 'slug_prefix', 'emoji']}
      onAction={onAction}
    >
      <TextField
        label={t('name')}
        name="name"
        maxLength={100}
        required
        defaultValue={type?.name ?? ''}
        errorText={findFieldMessage(save.error, 'name')}
      />
      {!type && (
        <TextField
          label={t('slugPrefix')}
          help={t('slugPrefixHelp')}
          name="slug_prefix"
          maxLength={40}
          required
          errorText={findFieldMessage(save.error, 'slug_prefix')}
        />
      )}
      <TextField
        label={t('emoji')}
        name="emoji"
        maxLength={16}
        defaultValue={type?.emoji ?? ''}
        errorText={findFieldMessage(save.error, 'emoji')}
      />
      <SelectField label={t('theme')} name="theme_preset" defaultValue={type?.theme_preset ?? 'classic'}>
        {Object.entries(themes).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </SelectField>
    </ActionDialog>
  )
}
