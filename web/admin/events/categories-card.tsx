import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, must } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { queries } from '../desk/queries.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { confirm } from '../parts/confirm.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { Loaded } from '../parts/loaded.tsx'
import { showNotice } from '../parts/notices.tsx'
import { CategoryDialog } from './category-dialog.tsx'
import type { Event } from './event-here.tsx'
import { type Category, eventCategoriesQuery } from './event-query.ts'

const t = translator('events')

const changed = () => queries.invalidateQueries({ queryKey: ['categories'] })
const complain = (error: unknown) => showNotice(errorMessage(error), { isAlarm: true })

export function CategoriesCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const query = useQuery(eventCategoriesQuery(event.id))
  const [open, setOpen] = useState<Category | 'new' | null>(null)
  const reorder = useMutation({
    mutationFn: async (ids: number[]) => {
      for (const [index, id] of ids.entries()) {
        const params = { path: { category_id: id } }
        await must(api.PUT('/api/admin/categories/{category_id}', { params, body: { sort_order: index } }))
      }
    },
    onError: complain,
    onSettled: changed,
  })
  const remove = async ({ id, name, photo_count: count }: Category) => {
    const text = count > 0 ? t('deleteCategoryText', { count }) : t('deleteCategoryEmptyText')
    const isMeant = await confirm({ title: t('deleteCategoryTitle', { name }), text, action: t('delete') })
    if (!isMeant) return
    await must(api.DELETE('/api/admin/categories/{category_id}', { params: { path: { category_id: id } } }))
    showNotice(t('categoryDeleted', { name }))
    await changed()
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
          const own = categories.filter(({ is_global }) => !is_global)
          const ofAll = categories.filter(({ is_global }) => is_global)
          const ids = own.map(({ id }) => id)
          const up = (index: number) => {
            const before = ids[index - 1]
            if (before !== undefined) reorder.mutate(ids.toSpliced(index - 1, 2, ids[index] as number, before))
          }
          return (
            <>
              {own.length > 0 && (
                <ul className="edit-list">
                  {own.map((category, index) => (
                    <li key={category.id}>
                      <span className="grows" dir="auto">
                        {category.name}
                      </span>
                      <span className="quiet-text">{categoryFacts(category)}</span>
                      <IconButton
                        icon="up"
                        label={t('moveUp', { name: category.name })}
                        disabled={isLocked || index === 0 || reorder.isPending}
                        onClick={() => up(index)}
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
                        onClick={() => void remove(category).catch(complain)}
                      />
                    </li>
                  ))}
                </ul>
              )}
              <p className="help">{t('globalCategories', { names: ofAll.map(({ name }) => name).join(', ') })}</p>
            </>
          )
        }}
      </Loaded>
      {open && (
        <CategoryDialog
          eventId={event.id}
          category={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onDone={changed}
        />
      )}
    </section>
  )
}

const categoryFacts = ({ photo_count: count, allow_downloads }: Category): string =>
  [t('photoCount', { count }), !allow_downloads && t('noDownloads')].filter(Boolean).join(' · ')
