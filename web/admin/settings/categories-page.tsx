import './settings.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { Button } from '../components/button.tsx'
import { confirm } from '../components/confirm.tsx'
import { errorMessage, findFieldMessage } from '../components/error-messages.ts'
import { SwitchField, TextField } from '../components/field.tsx'
import { formatNumber } from '../components/format-time.ts'
import { Loaded } from '../components/loaded.tsx'
import { showNotice } from '../components/notices.tsx'
import { Card } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { RowActions } from './row-actions.tsx'

const t = translator('settings')

type Category = Schemas['ListGlobalCategoriesReply'][number]

const categoriesQuery = queryOptions({
  queryKey: ['categories', 'global'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/categories/global', { signal })),
})

export function CategoriesPage() {
  const query = useQuery(categoriesQuery)
  const queries = useQueryClient()
  const canEdit = useHasPermission()('events.edit')
  const [edited, setEdited] = useState<Category | 'new' | null>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: ['categories'] })
  const remove = useMutation({
    mutationFn: ({ id }: Category) =>
      unwrap(api.DELETE('/api/admin/categories/{category_id}', { params: { path: { category_id: id } } })),
    onSuccess: () => showNotice(t('categoryDeleted')),
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
    onSettled: refresh,
  })
  const confirmRemove = async (category: Category) => {
    const { name, photo_count } = category
    const text = t('deleteCategoryText', { count: photo_count })
    if (await confirm({ title: t('deleteNamed', { name }), text, action: t('delete') })) remove.mutate(category)
  }
  const add = canEdit && (
    <Button icon="plus" onClick={() => setEdited('new')}>
      {t('newCategory')}
    </Button>
  )
  return (
    <Card title={t('globalCategories')} actions={add}>
      <p className="quiet-text">{t('categoriesText')}</p>
      <Loaded query={query}>
        {(categories) => (
          <Table
            caption={t('globalCategories')}
            rows={categories}
            rowKey={({ id }) => id}
            columns={[
              { head: t('name'), cell: ({ name }) => <span dir="auto">{name}</span> },
              {
                head: t('photos'),
                cell: ({ photo_count }) => formatNumber(photo_count),
                isNumeric: true,
                isWideOnly: true,
              },
              {
                head: t('downloads'),
                cell: ({ allow_downloads }) => t(allow_downloads ? 'allowed' : 'notAllowed'),
              },
              {
                head: t('change'),
                cell: (category) =>
                  canEdit && (
                    <RowActions
                      name={category.name}
                      onChange={() => setEdited(category)}
                      onDelete={() => confirmRemove(category)}
                    />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {edited !== null && (
        <CategoryDialog category={edited === 'new' ? null : edited} onClose={() => setEdited(null)} onSaved={refresh} />
      )}
    </Card>
  )
}

type DialogProps = { category: Category | null; onClose: () => void; onSaved: () => void }

function CategoryDialog({ category, onClose, onSaved }: DialogProps) {
  const save = useMutation({
    mutationFn: (body: { name: string; allow_downloads: boolean }): Promise<unknown> =>
      category
        ? unwrap(
            api.PUT('/api/admin/categories/{category_id}', { params: { path: { category_id: category.id } }, body }),
          )
        : unwrap(api.POST('/api/admin/categories', { body: { ...body, is_global: true } })),
    onSuccess: () => {
      onSaved()
      onClose()
      showNotice(t('saved'))
    },
  })
  const onAction = (form: FormData) =>
    save.mutate({ name: String(form.get('name')), allow_downloads: form.get('allow_downloads') !== null })
  return (
    <ActionDialog
      title={category ? t('changeNamed', { name: category.name }) : t('newCategory')}
      onClose={onClose}
      action={t('save')}
      mutation={save}
      fields={['name']}
      onAction={onAction}
    >
      <TextField
        label={t('name')}
        name="name"
        maxLength={100}
        required
        defaultValue={category?.name ?? ''}
        errorText={findFieldMessage(save.error, 'name')}
      />
      <SwitchField
        label={t('allowDownloads')}
        help={t('allowDownloadsHelp')}
        name="allow_downloads"
        defaultChecked={category?.allow_downloads ?? true}
      />
    </ActionDialog>
  )
}
