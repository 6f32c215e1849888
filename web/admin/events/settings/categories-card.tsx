import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { queries } from '../../app/query-client.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { formatSomePhotos } from '../../components/format-photos.ts'
import { Loaded } from '../../components/loaded.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import { type Event, useEvent } from '../event-context.tsx'
import { type Category, eventCategoriesQuery } from '../event-queries.ts'
import { CategoryDialog } from './category-dialog.tsx'
import { Section } from './section.tsx'

const t = translator('events')

const invalidateCategories = () => queries.invalidateQueries({ queryKey: ['categories'] })

export function CategoriesCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const query = useQuery(eventCategoriesQuery(event.id))
  const [open, setOpen] = useState<Category | 'new' | null>(null)
  return (
    <Section
      id="categories"
      action={
        <Button icon="plus" disabled={isLocked} onClick={() => setOpen('new')}>
          {t('newCategory')}
        </Button>
      }
    >
      <p className="help">{t('categoriesHelp')}</p>
      <Loaded query={query}>
        {(categories) => {
          const { own = [], global = [] } = Object.groupBy(categories, (one) => (one.is_global ? 'global' : 'own'))
          return (
            <>
              {own.length > 0 && <OwnCategories categories={own} isLocked={isLocked} onEdit={setOpen} />}
              <p className="help">{t('globalCategories', { names: global.map(({ name }) => name).join(', ') })}</p>
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
    </Section>
  )
}

type ListProps = { categories: Category[]; isLocked: boolean; onEdit: (category: Category) => void }

function OwnCategories({ categories, isLocked, onEdit }: ListProps) {
  const ids = categories.map(({ id }) => id)
  const event = useEvent()
  const reorder = useMutation({
    mutationFn: (order: number[]) => {
      const params = { path: { event_id: event.id } }
      return unwrap(api.PUT('/api/admin/categories/event/{event_id}/order', { params, body: { category_ids: order } }))
    },
    onError: showError,
    onSettled: invalidateCategories,
  })
  const moveUp = (index: number) =>
    reorder.mutate(ids.toSpliced(index - 1, 2, ...ids.slice(index - 1, index + 1).toReversed()))
  return (
    <ul className="edit-list">
      {categories.map((category, index) => (
        <li key={category.id}>
          <span className="grows" dir="auto">
            {category.name}
          </span>
          <span className="quiet-text">{categoryFacts(category, event)}</span>
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
            onClick={() => onEdit(category)}
          />
          <IconButton
            icon="trash"
            label={t('deleteCategory', { name: category.name })}
            disabled={isLocked}
            onClick={() => void deleteCategory(category).catch(showError)}
          />
        </li>
      ))}
    </ul>
  )
}

async function deleteCategory({ id, name, photo_count: count }: Category): Promise<void> {
  const text = count > 0 ? t('deleteCategoryText', { count }) : t('deleteCategoryEmptyText')
  const isConfirmed = await confirm({ title: t('deleteCategoryTitle', { name }), text, action: t('delete') })
  if (!isConfirmed) return
  await unwrap(api.DELETE('/api/admin/categories/{category_id}', { params: { path: { category_id: id } } }))
  showNotice(t('categoryDeleted', { name }))
  await invalidateCategories()
}

const categoryFacts = ({ photo_count: count, allow_downloads }: Category, event: Event): string =>
  [formatSomePhotos(count, event), !allow_downloads && t('noDownloads')].filter(Boolean).join(' · ')
