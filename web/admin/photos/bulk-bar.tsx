import './bulk-bar.css'
import { useState } from 'react'
import { translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx'
import { Progress } from '../parts/progress.tsx'
import { setVisibility } from './change-photos.ts'
import { deletePhotos } from './delete-photos.ts'
import { MarkControls } from './mark-controls.tsx'
import { markPhotos } from './mark-photos.ts'
import { knownPhotos, type Photo } from './photo-queries.ts'
import { useRunningAction } from './running-action.ts'

const t = translator('photos')

type Props = {
  eventId: number
  ids: ReadonlySet<number>
  isArchived: boolean
  onPlace: (ids: number[]) => void
  onDownload: (ids: number[]) => void
  onClear: () => void
}

export function BulkBar({ eventId, ids, isArchived, onPlace, onDownload, onClear }: Props) {
  const may = useMay()
  const running = useRunningAction()
  const [hasMarks, setMarks] = useState(false)
  if (ids.size === 0 && !running) return <div className="heard" role="status" />
  const chosen = [...ids]
  const known = [...knownPhotos(eventId, ids).values()]
  const isKnown = known.length === ids.size
  const areAllHidden = isKnown && known.every(({ visibility }) => visibility === 'hidden')
  const areAllVisible = isKnown && known.every(({ visibility }) => visibility === 'visible')
  const mayEdit = may('photos.edit') && !isArchived
  const remove = async () => {
    if (await deletePhotos(eventId, chosen)) onClear()
  }
  return (
    <section className={`bulk-bar${hasMarks ? ' with-marks' : ''}`} aria-label={t('chosen')}>
      {running ? (
        <div className="bulk-running" role="status">
          <span>
            {running.label} {Math.round((100 * running.done) / running.total)} %
          </span>
          <Progress label={running.label} done={running.done} total={running.total} />
        </div>
      ) : (
        <>
          <IconButton icon="close" label={t('clear')} onClick={onClear} />
          <p className="bulk-count" role="status">
            {t('chosenCount', { count: ids.size })}
          </p>
          {mayEdit && (
            <div className="bulk-marks">
              <MarkControls
                rating={sameOf(known, isKnown, 'my_rating')}
                color={sameOf(known, isKnown, 'my_color_label')}
                onMark={(change) => markPhotos(eventId, chosen, change)}
              />
            </div>
          )}
          <div className="bulk-actions">
            {mayEdit && (
              <IconButton
                className="bulk-marks-opener"
                icon="star"
                label={t('giveMarks')}
                aria-expanded={hasMarks}
                onClick={() => setMarks(!hasMarks)}
              />
            )}
            {mayEdit && !areAllHidden && (
              <Button kind="quiet" icon="hidden" onClick={() => setVisibility(eventId, chosen, 'hidden')}>
                <span className="bulk-word">{t('hide')}</span>
              </Button>
            )}
            {mayEdit && areAllHidden && (
              <Button kind="quiet" icon="eye" onClick={() => setVisibility(eventId, chosen, 'visible')}>
                <span className="bulk-word">{t('show')}</span>
              </Button>
            )}
            {mayEdit && (
              <Button kind="quiet" icon="folder" onClick={() => onPlace(chosen)}>
                <span className="bulk-word">{t('category')}</span>
              </Button>
            )}
            {may('photos.download') && !isArchived && (
              <Button kind="quiet" icon="download" onClick={() => onDownload(chosen)}>
                <span className="bulk-word">{t('download')}</span>
              </Button>
            )}
            {may('photos.delete') && !isArchived && (
              <Button kind="quiet" icon="trash" className="bulk-delete" onClick={remove}>
                <span className="bulk-word">{t('delete')}</span>
              </Button>
            )}
            {mayEdit && !areAllHidden && !areAllVisible && (
              <Menu opener={<IconButton icon="more" label={t('moreForChosen')} />}>
                <MenuItem icon="eye" onSelect={() => setVisibility(eventId, chosen, 'visible')}>
                  {t('show')}
                </MenuItem>
                <MenuLine />
                <MenuItem icon="star" onSelect={() => markPhotos(eventId, chosen, { rating: null, color_label: null })}>
                  {t('clearMarks')}
                </MenuItem>
              </Menu>
            )}
          </div>
        </>
      )}
    </section>
  )
}

function sameOf<Key extends 'my_rating' | 'my_color_label'>(
  photos: Photo[],
  isKnown: boolean,
  key: Key,
): Photo[Key] | null {
  const value = photos[0]?.[key] ?? null
  return isKnown && photos.every((photo) => photo[key] === value) ? value : null
}
