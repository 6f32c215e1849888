import './categories-dialog.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { SwitchField, TextField } from '../../components/field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showError } from '../../components/notices.tsx'
import { Badge } from '../../components/page.tsx'
import { type Category, eventCategoriesQuery } from '../../events/event-queries.ts'
import { invalidatePhotos } from '../model/photo-queries.ts'

const t = translator('photos')

export function CategoriesDialog({ eventId, onClose }: { eventId: number; onClose: () => void }) {
  const query = useQuery(eventCategoriesQuery(eventId))
  return (
    <Dialog isOpen onClose={onClose} title={t('categories')} description={t('categoriesText')}>
      <Loaded query={query}>
        {(categories) => (
          <ul className="category-list">
            {categories.map((category) => (
              <li key={category.id}>
                {category.is_global ? (
                  <p>
                    <span dir="auto">{category.name}</span> <Badge>{t('globalCategory')}</Badge>
                  </p>
                ) : (
                  <OwnCategory eventId={eventId} category={category} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <NewCategory eventId={eventId} />
    </Dialog>
  )
}

function OwnCategory({ eventId, category }: { eventId: number; category: Category }) {
  const [name, setName] = useState(category.name)
  const params = { path: { category_id: category.id } }
  const handlers = { onSuccess: () => invalidatePhotos(eventId), onError: showError }
  const change = useMutation({
    mutationFn: (body: { name?: string; allow_downloads?: boolean }) =>
      unwrap(api.PUT('/api/admin/categories/{category_id}', { params, body })),
    ...handlers,
  })
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/admin/categories/{category_id}', { params })),
    ...handlers,
  })
  const rename = () => {
    const newName = name.trim()
    if (newName === '') setName(category.name)
    else if (newName !== category.name) change.mutate({ name: newName })
  }
  const onRemove = async () => {
    const isConfirmed = await confirm({
      title: t('deleteCategoryTitle', { name: category.name }),
      text: t('deleteCategoryText', { count: category.photo_count }),
      action: t('deleteCategory'),
    })
    if (isConfirmed) remove.mutate()
  }
  return (
    <div className="category-own">
      <input
        type="text"
        dir="auto"
        value={name}
        maxLength={100}
        aria-label={t('categoryName')}
        onChange={({ target }) => setName(target.value)}
        onBlur={rename}
        onKeyDown={({ key }) => key === 'Enter' && rename()}
      />
      <SwitchField
        label={t('allowDownloads')}
        checked={category.allow_downloads}
        onChange={({ target }) => change.mutate({ allow_downloads: target.checked })}
      />
      <IconButton icon="trash" label={t('deleteNamed', { name: category.name })} onClick={onRemove} />
    </div>
  )
}

function NewCategory({ eventId }: { eventId: number }) {
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => unwrap(api.POST('/api/admin/categories', { body: { name: name.trim(), event_id: eventId } })),
    onSuccess: async () => {
      setName('')
      await invalidatePhotos(eventId)
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') create.mutate()
  }
  return (
    <form className="category-new" onSubmit={onSubmit}>
      <TextField
        label={t('newCategory')}
        value={name}
        maxLength={100}
        dir="auto"
        errorText={create.isError ? errorMessage(create.error) : null}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" icon="plus" isBusy={create.isPending}>
        {t('create')}
      </Button>
    </form>
  )
}
