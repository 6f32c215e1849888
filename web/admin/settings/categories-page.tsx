import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { findFieldMessage } from '../components/error-messages.ts'
import { SwitchField, TextField } from '../components/field.tsx'
import { formatNumber } from '../components/format-time.ts'
import { showNotice } from '../components/notices.tsx'
import { showCategoryName } from '../events/show-category-name.ts'
import { EditableTable } from './editable-table.tsx'

const t = translator('settings')

type Category = Schemas['ListGlobalCategoriesReply'][number]

const categoriesQuery = queryOptions({
  queryKey: ['categories', 'global'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/categories/global', { signal })),
})

export function CategoriesPage() {
  const query = useQuery(categoriesQuery)
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['categories'] })
  return (
    <EditableTable
      title={t('globalCategories')}
      description={t('categoriesText')}
      addLabel={t('newCategory')}
      canEdit={useHasPermission()('events.edit')}
      query={query}
      rowKey={({ id }) => id}
      rowName={showCategoryName}
      columns={[
        { head: t('name'), cell: (category) => <span dir="auto">{showCategoryName(category)}</span> },
        { head: t('photos'), cell: ({ photo_count }) => formatNumber(photo_count), isNumeric: true, isWideOnly: true },
        { head: t('downloads'), cell: ({ allow_downloads }) => t(allow_downloads ? 'allowed' : 'notAllowed') },
      ]}
      removal={{
        question: ({ photo_count }) => t('deleteCategoryText', { count: photo_count }),
        send: ({ id }) =>
          unwrap(api.DELETE('/api/admin/categories/{category_id}', { params: { path: { category_id: id } } })),
        notice: t('categoryDeleted'),
      }}
      onRemoved={refresh}
      renderDialog={(category, onClose) => <CategoryDialog category={category} onClose={onClose} onSaved={refresh} />}
    />
  )
}

type DialogProps = { category: Category | null; onClose: () => void; onSaved: () => void }

function CategoryDialog({ category, onClose, onSaved }: DialogProps) {
  const shownName = category ? showCategoryName(category) : ''
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
  const onAction = (form: FormData) => {
    const name = String(form.get('name'))
    // A translated name that was not changed is not stored.
    const storedName = category && name === shownName ? category.name : name
    save.mutate({ name: storedName, allow_downloads: form.get('allow_downloads') !== null })
  }
  return (
    <ActionDialog
      title={category ? t('changeNamed', { name: shownName }) : t('newCategory')}
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
        defaultValue={shownName}
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
