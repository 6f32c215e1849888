import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { SwitchField, TextField } from '../../components/field.tsx'
import type { Category } from '../event-queries.ts'
import { findFieldError } from '../fields/field-errors.ts'

const t = translator('events')

type Props = { eventId: number; category: Category | null; onClose: () => void; onDone: () => Promise<void> }

export function CategoryDialog({ eventId, category, onClose, onDone }: Props) {
  const [name, setName] = useState(category?.name ?? '')
  const [allowDownloads, setAllowDownloads] = useState(category?.allow_downloads ?? true)
  const body = { name, allow_downloads: allowDownloads }
  const save = useMutation({
    mutationFn: () => {
      if (!category) return unwrap(api.POST('/api/admin/categories', { body: { ...body, event_id: eventId } }))
      const params = { path: { category_id: category.id } }
      return unwrap(api.PUT('/api/admin/categories/{category_id}', { params, body }))
    },
    onSuccess: async () => {
      onClose()
      await onDone()
    },
  })
  return (
    <ActionDialog
      title={category ? t('changeCategory', { name: category.name }) : t('newCategory')}
      action={t('save')}
      mutation={save}
      onAction={() => save.mutate()}
      fields={['name']}
      onClose={onClose}
    >
      <TextField
        label={t('categoryName')}
        maxLength={100}
        value={name}
        errorText={findFieldError(save.error, 'name') && t('wrongCategoryName')}
        onChange={({ target }) => setName(target.value)}
      />
      <SwitchField
        label={t('switch_allow_downloads')}
        checked={allowDownloads}
        onChange={({ target }) => setAllowDownloads(target.checked)}
      />
    </ActionDialog>
  )
}
