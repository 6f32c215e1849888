import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { queries } from '../../app/query-client.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { Loaded } from '../../components/loaded.tsx'
import { showNotice } from '../../components/notices.tsx'
import type { Event } from '../event-context.tsx'
import { type Category, eventCategoriesQuery } from '../event-queries.ts'
import { CategoryDialog } from './category-dialog.tsx'

const t = translator('events')

const invalidateCategories = () => queries.invalidateQueries({ queryKey: ['categories'] })
const showError = (error: unknown) => showNotice(errorMessage(error), { isAlarm: true })

export function CategoriesCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const query = useQuery(eventCategoriesQuery(event.id))
  const [open, setOpen] = useState<Category | 'new' | null>(null)
  const reorder = useMutation({
    mutationFn: async (ids: number[]) => {
      for (const [index, id] of ids.entries()) {
        const params = { path: { category_id: id } }
        await unwrap(api.PUT('/api/admin/categories/{category_id}', { params, body: { sort_order: index } }))
      }
    },
    onError: showError,
    onSettled: invalidateCategories,
  })
  const remove = async ({ id, name, photo_count: count }: Category) => {
    const text = count > 0 ? t('deleteCategoryText', { count }) : t('deleteCategoryEmptyText')
    const isConfirmed = await confirm({ title: t('deleteCategoryTitle', { name }), text, action: t('delete') })
    if (!isConfirmed) return
    await unwrap(api.DELETE('/api/admin/categories/{category_id}', { params: { path: { category_id: id } } }))
    showNotice(t('categoryDeleted', { name }))
    await invalidateCategories()
  }
  return (
    <section className="card" id="categories" aria-labelledby="categories-title">
      <div className="card-head">
        <h2 id="categories-title">{t('section_categories')}</h2>
        <Button icon="plus" disabled={isLocked} onClick={() => setOpen('new')}>
          {t('newCategory')}
        </Button>
      </div>
      <p className="help">{t('categoriesHelp')}</p>
      <Loaded query={query}>
        {(categories) => {
          const ownCategories = categories.filter(({ is_global }) => !is_global)
          const globalCategories = categories.filter(({ is_global }) => is_global)
          const ids = ownCategories.map(({ id }) => id)
          const moveUp = (index: number) => {
            const before = ids[index - 1]
            if (before !== undefined) reorder.mutate(ids.toSpliced(index - 1, 2, ids[index] as number, before))
          }
          return (
            <>
              {ownCategories.length > 0 && (
                <ul className="edit-list">
                  {ownCategories.map((category, index) => (
                    <li key={category.id}>
                      <span className="grows" dir="auto">
                        {category.name}
                      </span>
                      <span className="quiet-text">{categoryFacts(category)}</span>
                      <IconButton
                        icon="up"
                        label={t('moveUp', { name: category.name })}
                        disabled={isLocked || index === 0 || reorder.isPending}
                        onClick={() => moveUp(index)}
                      />
                      <IconButton
                        icon="edit"
                        label={t('changeCategory', { name: category.name })}
                        disabled={isLocked}
                        onClick={() => setOpen(category)}
                      />
                      <IconButton
                        icon="trash"
                        label={t('deleteCategory', { name: category.name })}
                        disabled={isLocked}
                        onClick={() => void remove(category).catch(showError)}
                      />
                    </li>
                  ))}
                </ul>
              )}
              <p className="help">
                {t('globalCategories', { names: globalCategories.map(({ name }) => name).join(', ') })}
              </p>
            </>
          )
        }}
      </Loaded>
      {open && (
        <CategoryDialog
          eventId={event.id}
          category={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onDone={invalidateCategories}
        />
      )}
    </section>
  )
}

const categoryFacts = ({ photo_count: count, allow_downloads }: Category): string =>
  [t('photoCount', { count }), !allow_downloads && t('noDownloads')].filter(Boolean).join(' · ')
