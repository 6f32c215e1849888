import '../../events/trash/trash.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showError } from '../../components/notices.tsx'
import { Empty } from '../../components/page.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { useEvent } from '../../events/event-context.tsx'
import { formatDaysLeft, formatTotal, type TrashedPhoto, trashedPhotosQuery } from '../../events/trash/trash-queries.ts'
import { deleteTrashedPhotos, emptyPhotoTrash, restoreAllPhotos, restorePhotos } from './restore-photos.ts'

const t = translator('trash')

export function PhotoTrashPage() {
  const { id: eventId, is_archived: isArchived } = useEvent()
  const canDelete = useHasPermission()('photos.delete')
  const [page, setPage] = useState(1)
  const [chosenIds, setChosenIds] = useState<ReadonlySet<number>>(new Set())
  const query = useQuery(trashedPhotosQuery(eventId, page))
  const toggle = (id: number) =>
    setChosenIds((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  return (
    <Loaded query={query}>
      {({ photos, total_size, video_count, pagination: { total, pages } }) => {
        if (total === 0) return <Empty title={t('empty')} text={t('emptyText')} />
        const chosen = photos.map(({ id }) => id).filter((id) => chosenIds.has(id))
        return (
          <div className="trash">
            <p className="quiet-text">
              {t('photosText')} {formatTotal({ photo_count: total, video_count, total_size })}
            </p>
            {canDelete && (
              <TrashActions
                eventId={eventId}
                chosen={chosen}
                canRestore={!isArchived}
                onAll={() => setChosenIds(new Set(photos.map(({ id }) => id)))}
                onClear={() => setChosenIds(new Set())}
              />
            )}
            <ul className="trash-photos" aria-label={t('photos')}>
              {photos.map((photo) => (
                <TrashTile
                  key={photo.id}
                  eventId={eventId}
                  photo={photo}
                  isChosen={chosenIds.has(photo.id)}
                  onToggle={canDelete ? () => toggle(photo.id) : undefined}
                />
              ))}
            </ul>
            <Pagination page={page} pages={pages} onPage={setPage} />
          </div>
        )
      }}
    </Loaded>
  )
}

type ActionsProps = {
  eventId: number
  chosen: number[]
  canRestore: boolean
  onAll: () => void
  onClear: () => void
}

function TrashActions({ eventId, chosen, canRestore, onAll, onClear }: ActionsProps) {
  const mutation = useMutation({ mutationFn: (action: () => Promise<unknown>) => action(), onError: showError })
  const { isPending } = mutation
  const run = (action: () => Promise<unknown>) => () => !isPending && mutation.mutate(action)
  if (chosen.length === 0) {
    return (
      <div className="toolbar trash-actions">
        <Button kind="quiet" icon="check" onClick={onAll}>
          {t('chooseAll')}
        </Button>
        {canRestore && (
          <Button icon="restore" isBusy={isPending} onClick={run(() => restoreAllPhotos(eventId))}>
            {t('restoreAll')}
          </Button>
        )}
        <Button icon="trash" isBusy={isPending} onClick={run(() => emptyPhotoTrash(eventId))}>
          {t('emptyTrash')}
        </Button>
      </div>
    )
  }
  const restore = async () => {
    await restorePhotos(eventId, chosen)
    onClear()
  }
  const remove = async () => {
    if (await deleteTrashedPhotos(eventId, chosen)) onClear()
  }
  return (
    <div className="toolbar trash-actions">
      <span role="status">{t('chosen', { count: chosen.length })}</span>
      {canRestore && (
        <Button kind="primary" icon="restore" isBusy={isPending} onClick={run(restore)}>
          {t('restore')}
        </Button>
      )}
      <Button icon="trash" isBusy={isPending} onClick={run(remove)}>
        {t('deleteForGood')}
      </Button>
      <Button kind="quiet" onClick={onClear}>
        {t('clear')}
      </Button>
    </div>
  )
}

type TileProps = { eventId: number; photo: TrashedPhoto; isChosen: boolean; onToggle: (() => void) | undefined }

function TrashTile({ eventId, photo, isChosen, onToggle }: TileProps) {
  const [isBroken, setBroken] = useState(false)
  return (
    <li>
      <label className={`trash-tile${isChosen ? ' chosen' : ''}`}>
        <span className="trash-picture">
          {isBroken ? (
            <Icon name="photos" />
          ) : (
            <img
              src={`/api/admin/photos/${eventId}/trash/${photo.id}/thumbnail`}
              alt=""
              loading="lazy"
              decoding="async"
              onError={() => setBroken(true)}
            />
          )}
        </span>
        <span className="trash-name">
          <input type="checkbox" checked={isChosen} hidden={!onToggle} disabled={!onToggle} onChange={onToggle} />
          <span dir="auto">{photo.original_filename}</span>
        </span>
        <span className="quiet-text">{formatDaysLeft(photo.deletes_at)}</span>
      </label>
    </li>
  )
}
