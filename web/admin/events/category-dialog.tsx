import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, must } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { SwitchField, TextField } from '../parts/field.tsx'
import type { Category } from './event-query.ts'
import { wrongField } from './wrong-words.ts'

const say = sayIn('events')

type Props = {
  eventId: number
  category: Category | null
  onClose: () => void
  onDone: () => Promise<void>
}

export function CategoryDialog({ eventId, category, onClose, onDone }: Props) {
  const [name, setName] = useState(category?.name ?? '')
  const [allowDownloads, setAllowDownloads] = useState(category?.allow_downloads ?? true)
  const body = { name, allow_downloads: allowDownloads }
  const save = useMutation({
    mutationFn: () =>
      category
        ? must(api.PUT('/api/admin/categories/{category_id}', { params: { path: { category_id: category.id } }, body }))
        : must(api.POST('/api/admin/categories', { body: { ...body, event_id: eventId } })),
    onSuccess: async () => {
      onClose()
      await onDone()
    },
  })
  const wrong = wrongField(save.error, 'name') && say('wrongCategoryName')
  return (
    <ActionDialog
      title={category ? say('changeCategory', { name: category.name }) : say('newCategory')}
      action={say('save')}
      mutation={save}
      onAction={() => save.mutate()}
      fields={['name']}
      onClose={onClose}
    >
      <TextField
        label={say('categoryName')}
        maxLength={100}
        value={name}
        wrong={wrong}
        onChange={({ target }) => setName(target.value)}
      />
      <SwitchField
        label={say('allowDownloads')}
        checked={allowDownloads}
        onChange={({ target }) => setAllowDownloads(target.checked)}
      />
    </ActionDialog>
  )
}
