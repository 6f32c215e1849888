import './upload-panel.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isActive } from '../../shared/uploads/upload-entries.ts'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission, useMe } from '../app/me.ts'
import { useEvent } from '../events/event-context.tsx'
import { acceptsVideos, parseAcceptedTypes } from './accepted-types.ts'
import { type CategoryChoice, CategoryField } from './category-field.tsx'
import { ChooseButtons } from './choose-buttons.tsx'
import type { ChosenFiles } from './chosen-files.ts'
import { DropZone } from './drop-zone.tsx'
import { InterruptedOffer } from './interrupted-offer.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { UploadReport } from './upload-report.tsx'
import { UploadRows } from './upload-rows.tsx'
import { useUploads } from './upload-state.ts'
import { addFiles, findInterruptedUploads, setOwner, type UploadTarget } from './uploader.ts'
import { registerOpenPanel } from './watch-uploads.ts'

const t = translator('uploads')

export function UploadPanel({ eventId }: { eventId: number }) {
  const hasPermission = useHasPermission()
  const event = useEvent()
  if (!hasPermission('photos.upload') || event.is_archived) return null
  return <OpenPanel key={eventId} eventId={eventId} eventName={event.event_name} isFirst={event.photo_count === 0} />
}

function OpenPanel({ eventId, eventName, isFirst }: { eventId: number; eventName: string; isFirst: boolean }) {
  const me = useMe()
  const acceptedTypes = useAcceptedTypes()
  const [category, setCategory] = useState<CategoryChoice>(null)
  const state = useUploads()
  const entries = state.entries.filter((entry) => entry.eventId === eventId)
  const isBusy = entries.some(isActive)
  const interrupted = state.interrupted.get(eventId) ?? null
  useEffect(() => {
    setOwner(me.id)
    void findInterruptedUploads(eventId, me.id)
    return registerOpenPanel(eventId)
  }, [eventId, me.id])

  const target: UploadTarget = { eventId, eventName, category, acceptedTypes }
  const onChosen = (chosen: ChosenFiles) => addFiles(chosen, target)
  const isLarge = isFirst && entries.length === 0 && !interrupted
  return (
    <section className={`upload-panel${isLarge ? ' first' : ''}`} aria-label={t('title')}>
      <DropZone eventName={eventName} onDropped={onChosen} />
      {interrupted && <InterruptedOffer interrupted={interrupted} target={target} />}
      {isBusy && <UploadProgress state={state} entries={entries} eventId={eventId} />}
      {!isBusy && entries.length > 0 && <UploadReport state={state} entries={entries} eventId={eventId} />}
      {isBusy && <UploadRows entries={entries} />}
      <div className="upload-choose">
        <p className="upload-hint">
          {t(
            entries.length > 0
              ? 'dropMore'
              : !isLarge
                ? 'dropSlim'
                : acceptsVideos(acceptedTypes)
                  ? 'drop'
                  : 'dropPhotos',
          )}
        </p>
        <ChooseButtons acceptedTypes={acceptedTypes} isPrimary={isLarge} onChosen={onChosen} />
        <CategoryField eventId={eventId} value={category} onChange={setCategory} />
      </div>
    </section>
  )
}

/** Returns null until the settings are loaded, or if the account may not read them. */
function useAcceptedTypes() {
  const hasPermission = useHasPermission()
  const { data } = useQuery({
    queryKey: ['uploads', 'taken'],
    queryFn: async ({ signal }) => parseAcceptedTypes(await unwrap(api.GET('/api/admin/settings', { signal }))),
    enabled: hasPermission('settings.view'),
    staleTime: 60_000,
  })
  return data ?? null
}
