import './photo-category-dialog.css'
import { useQuery } from '@tanstack/react-query'
import { translator } from '../../app/language.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { eventCategoriesQuery } from '../../events/event-queries.ts'
import { findCachedPhotos } from '../model/photo-queries.ts'
import { type PhotoCategory, setPhotoCategory } from './change-photos.ts'

const t = translator('photos')

type Props = { eventId: number; ids: number[]; onClose: () => void; onManage: () => void }

export function PhotoCategoryDialog({ eventId, ids, onClose, onManage }: Props) {
  const query = useQuery(eventCategoriesQuery(eventId))
  const known = [...findCachedPhotos(eventId, new Set(ids)).values()]
  const isCurrent = (target: PhotoCategory) =>
    known.length === ids.length && known.every(({ category_id: id, type }) => (id ?? type) === target)
  const choose = (target: PhotoCategory, name: string) => {
    onClose()
    void setPhotoCategory(eventId, ids, target, name)
  }
  return (
    <Dialog isOpen onClose={onClose} title={t('placeTitle', { count: ids.length })}>
      <Loaded query={query}>
        {(categories) => (
          <ul className="place-list">
            {[
              ...categories.map(({ id, name }) => ({ target: id, name })),
              { target: 'individual' as const, name: t('ofType', { name: t('individual') }) },
              { target: 'collage' as const, name: t('ofType', { name: t('collage') }) },
              { target: null, name: t('uncategorized') },
            ].map(({ target, name }) => (
              <li key={String(target)}>
                <button type="button" aria-pressed={isCurrent(target)} onClick={() => choose(target, name)}>
                  <span dir="auto">{name}</span>
                  {isCurrent(target) && <Icon name="check" />}
                </button>
              </li>
            ))}
            <li>
              <button type="button" onClick={onManage}>
                <span>{t('manageCategories')}</span>
                <Icon name="edit" />
              </button>
            </li>
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}
