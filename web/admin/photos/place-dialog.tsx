import './place-dialog.css'
import { useQuery } from '@tanstack/react-query'
import { translator } from '../desk/language.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { type Place, setPlace } from './change-photos.ts'
import { categoriesQuery, knownPhotos } from './photo-queries.ts'

const t = translator('photos')

type Props = { eventId: number; ids: number[]; onClose: () => void; onManage: () => void }

export function PlaceDialog({ eventId, ids, onClose, onManage }: Props) {
  const query = useQuery(categoriesQuery(eventId))
  const known = [...knownPhotos(eventId, new Set(ids)).values()]
  const isAt = (place: Place) =>
    known.length === ids.length && known.every(({ category_id: id, type }) => (id ?? type) === place)
  const choose = (place: Place, name: string) => {
    onClose()
    void setPlace(eventId, ids, place, name)
  }
  return (
    <Dialog isOpen onClose={onClose} title={t('placeTitle', { count: ids.length })}>
      <Loaded query={query}>
        {(categories) => (
          <ul className="place-list">
            {[
              ...categories.map(({ id, name }): [Place, string] => [id, name]),
              ['individual', t('ofType', { name: t('individual') })] as [Place, string],
              ['collage', t('ofType', { name: t('collage') })] as [Place, string],
              [null, t('uncategorized')] as [Place, string],
            ].map(([place, name]) => (
              <li key={String(place)}>
                <button type="button" aria-pressed={isAt(place)} onClick={() => choose(place, name)}>
                  <span dir="auto">{name}</span>
                  {isAt(place) && <Icon name="check" />}
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
