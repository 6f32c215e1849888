import './bulk-bar.css'
import { useState } from 'react'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button, IconButton } from '../../components/button.tsx'
import type { IconName } from '../../components/icon.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { Progress } from '../../components/progress.tsx'
import { MarkControls } from '../marks/mark-controls.tsx'
import { markPhotos } from '../marks/mark-photos.ts'
import { useBulkProgress } from '../model/bulk-progress.ts'
import { findCachedPhotos, type Photo } from '../model/photo-queries.ts'
import { setCover, setVisibility } from './change-photos.ts'
import { trashPhotos } from './trash-photos.ts'

const t = translator('photos')

type Props = {
  eventId: number
  ids: ReadonlySet<number>
  coverId: number | null
  isArchived: boolean
  onCategorize: (ids: number[]) => void
  onDownload: (ids: number[]) => void
  onClear: () => void
}

export function BulkBar({ eventId, ids, coverId, isArchived, onCategorize, onDownload, onClear }: Props) {
  const hasPermission = useHasPermission()
  const running = useBulkProgress()
  const [isMarksOpen, setMarksOpen] = useState(false)
  if (ids.size === 0 && !running) return <div className="heard" role="status" />
  const chosen = [...ids]
  const known = [...findCachedPhotos(eventId, ids).values()]
  const isKnown = known.length === ids.size
  const areAllHidden = isKnown && known.every(({ visibility }) => visibility === 'hidden')
  const areAllVisible = isKnown && known.every(({ visibility }) => visibility === 'visible')
  const canKeepHidden = areAllHidden && known.some(({ awaits_review: isWaiting }) => isWaiting)
  const canEdit = hasPermission('photos.edit') && !isArchived
  const [single] = isKnown && known.length === 1 ? known : []
  const canBeCover =
    single?.visibility === 'visible' && single.id !== coverId && hasPermission('events.edit') && !isArchived
  // The actions of the review need the room of the marks; its keys still work.
  const hasMarks = canEdit && !canKeepHidden
  const show = () => setVisibility(eventId, chosen, 'visible')
  const remove = async () => {
    await trashPhotos(eventId, chosen)
    onClear()
  }
  return (
    <section
      className={`bulk-bar${isMarksOpen ? ' with-marks' : ''}${canBeCover ? ' with-cover' : ''}`}
      aria-label={t('chosen')}
    >
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
          {hasMarks && (
            <div className="bulk-marks">
              <MarkControls
                rating={findSharedValue(known, isKnown, 'my_rating')}
                color={findSharedValue(known, isKnown, 'my_color_label')}
                onMark={(change) => markPhotos(eventId, chosen, change)}
              />
            </div>
          )}
          <div className="bulk-actions">
            {hasMarks && (
              <IconButton
                className="bulk-marks-opener"
                icon="star"
                label={t('giveMarks')}
                aria-expanded={isMarksOpen}
                onClick={() => setMarksOpen(!isMarksOpen)}
              />
            )}
            {canEdit && !areAllHidden && (
              <Action icon="hidden" label={t('hide')} onClick={() => setVisibility(eventId, chosen, 'hidden')} />
            )}
            {canEdit && areAllHidden && <Action icon="eye" label={t('show')} onClick={show} />}
            {canEdit && canKeepHidden && (
              <Action icon="hidden" label={t('keepHidden')} onClick={() => setVisibility(eventId, chosen, 'hidden')} />
            )}
            {canEdit && <Action icon="folder" label={t('category')} onClick={() => onCategorize(chosen)} />}
            {single && canBeCover && (
              <Action icon="photos" label={t('makeCover')} onClick={() => setCover(eventId, single)} />
            )}
            {hasPermission('photos.download') && !isArchived && (
              <Action icon="download" label={t('download')} onClick={() => onDownload(chosen)} />
            )}
            {hasPermission('photos.delete') && !isArchived && (
              <Action icon="trash" className="bulk-delete" label={t('trash')} onClick={remove} />
            )}
            {canEdit && !areAllHidden && !areAllVisible && (
              <Menu trigger={<IconButton icon="more" label={t('moreForChosen')} />}>
                <MenuItem icon="eye" onSelect={show}>
                  {t('show')}
                </MenuItem>
                <MenuSeparator />
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

type ActionProps = { icon: IconName; label: string; className?: string; onClick: () => void }

const Action = ({ label, ...button }: ActionProps) => (
  <Button kind="quiet" {...button}>
    <span className="bulk-word">{label}</span>
  </Button>
)

function findSharedValue<Key extends 'my_rating' | 'my_color_label'>(
  photos: Photo[],
  isKnown: boolean,
  key: Key,
): Photo[Key] | null {
  const value = photos[0]?.[key] ?? null
  return isKnown && photos.every((photo) => photo[key] === value) ? value : null
}
