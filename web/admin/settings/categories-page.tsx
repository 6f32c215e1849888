import './settings.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, must, type Wire } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { Button } from '../parts/button.tsx'
import { confirm } from '../parts/confirm.tsx'
import { faultAt, wordsOf } from '../parts/error-messages.ts'
import { SwitchField, TextField } from '../parts/field.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { tell } from '../parts/notices.tsx'
import { Card } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { numberWords } from '../parts/time-words.ts'
import { RowTools } from './row-tools.tsx'

const say = sayIn('settings')

type Category = Wire['ListGlobalCategoriesReply'][number]

const categoriesQuery = queryOptions({
  queryKey: ['categories', 'global'],
  queryFn: ({ signal }) => must(api.GET('/api/admin/categories/global', { signal })),
})

export function CategoriesPage() {
  const query = useQuery(categoriesQuery)
  const queries = useQueryClient()
  const mayEdit = useMay()('events.edit')
  const [edited, setEdited] = useState<Category | 'new' | null>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: ['categories'] })
  const remove = useMutation({
    mutationFn: ({ id }: Category) =>
      must(api.DELETE('/api/admin/categories/{category_id}', { params: { path: { category_id: id } } })),
    onSuccess: () => tell(say('categoryDeleted')),
    onError: (error) => tell(wordsOf(error), { isAlarm: true }),
    onSettled: refresh,
  })
  const askToRemove = async (category: Category) => {
    const { name, photo_count } = category
    const text = say('deleteCategoryText', { count: photo_count })
    if (await confirm({ title: say('deleteNamed', { name }), text, action: say('delete') })) remove.mutate(category)
  }
  const add = mayEdit && (
    <Button icon="plus" onClick={() => setEdited('new')}>
      {say('newCategory')}
    </Button>
  )
  return (
    <Card title={say('globalCategories')} actions={add}>
      <p className="quiet-text">{say('categoriesText')}</p>
      <Loaded query={query}>
        {(categories) => (
          <Table
            caption={say('globalCategories')}
            rows={categories}
            rowKey={({ id }) => id}
            columns={[
              { head: say('name'), cell: ({ name }) => <span dir="auto">{name}</span> },
              {
                head: say('photos'),
                cell: ({ photo_count }) => numberWords(photo_count),
                isNumber: true,
                isExtra: true,
              },
              {
                head: say('downloads'),
                cell: ({ allow_downloads }) => say(allow_downloads ? 'allowed' : 'notAllowed'),
              },
              {
                head: say('change'),
                cell: (category) =>
                  mayEdit && (
                    <RowTools
                      name={category.name}
                      onChange={() => setEdited(category)}
                      onDelete={() => askToRemove(category)}
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
        ? must(api.PUT('/api/admin/categories/{category_id}', { params: { path: { category_id: category.id } }, body }))
        : must(api.POST('/api/admin/categories', { body: { ...body, is_global: true } })),
    onSuccess: () => {
      onSaved()
      onClose()
      tell(say('saved'))
    },
  })
  const onAction = (form: FormData) =>
    save.mutate({ name: String(form.get('name')), allow_downloads: form.get('allow_downloads') !== null })
  return (
    <ActionDialog
      title={category ? say('changeNamed', { name: category.name }) : say('newCategory')}
      onClose={onClose}
      action={say('save')}
      mutation={save}
      fields={['name']}
      onAction={onAction}
    >
      <TextField
        label={say('name')}
        name="name"
        maxLength={100}
        required
        defaultValue={category?.name ?? ''}
        wrong={faultAt(save.error, 'name')}
      />
      <SwitchField
        label={say('allowDownloads')}
        help={say('allowDownloadsHelp')}
        name="allow_downloads"
        defaultChecked={category?.allow_downloads ?? true}
      />
    </ActionDialog>
  )
}
