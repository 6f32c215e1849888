import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { CoverThumbnail } from '../cover-thumbnail.tsx'
import type { Event } from '../event-context.tsx'
import { changeEvent, updateCachedEvent } from '../event-queries.ts'
import { Section } from './section.tsx'

const t = translator('events')

const pageSize = 48

export function CoverCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const choose = useMutation({
    mutationFn: (cover_photo_id: number | null) => changeEvent(event.id, { cover_photo_id }),
    onSuccess: async (changed) => {
      setOpen(false)
      showNotice(t('coverChosen'))
      await updateCachedEvent(changed)
    },
    onError: showError,
  })
  return (
    <Section id="cover">
      <div className="cover-here">
        <CoverThumbnail eventId={event.id} photoId={event.cover_photo_id} />
        {event.photo_count > 0 ? (
          <Button icon="photos" disabled={isLocked} onClick={() => setOpen(true)}>
            {t('chooseCover')}
          </Button>
        ) : (
          <p className="help">{t('coverNoPhotos')}</p>
        )}
      </div>
      <Dialog
        title={t('chooseCover')}
        description={t('chooseCoverText')}
        isOpen={isOpen}
        isWide
        onClose={() => setOpen(false)}
      >
        <CoverPicker event={event} onChoose={choose.mutate} />
      </Dialog>
    </Section>
  )
}

function CoverPicker({ event, onChoose }: { event: Event; onChoose: (photoId: number | null) => void }) {
  const [page, setPage] = useState(1)
  const query = useQuery({
    queryKey: ['photos', event.id, 'covers', page],
    queryFn: ({ signal }) => {
      const params = { path: { event_id: event.id }, query: { page, limit: pageSize } }
      return unwrap(api.GET('/api/admin/photos/{event_id}/photos', { params, signal }))
    },
  })
  return (
    <Loaded query={query}>
      {({ photos, pagination }) => (
        <>
          <div>
            <Button kind="quiet" icon="restore" onClick={() => onChoose(null)}>
              {t('coverFirst')}
            </Button>
          </div>
          <div className="cover-choice">
            {photos.map(({ id, original_filename: name }) => (
              <button
                key={id}
                type="button"
                aria-label={name}
                aria-pressed={id === event.cover_photo_id}
                onClick={() => onChoose(id)}
              >
                <img src={`/api/admin/photos/${event.id}/thumbnail/${id}`} alt="" loading="lazy" decoding="async" />
              </button>
            ))}
          </div>
          <Pagination page={page} pages={Math.ceil(pagination.filtered / pageSize)} onPage={setPage} />
        </>
      )}
    </Loaded>
  )
}
