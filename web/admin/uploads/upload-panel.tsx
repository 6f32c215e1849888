import './upload-panel.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, must } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { useMay, useMe } from '../desk/me.ts'
import { useEvent } from '../events/event-here.tsx'
import { type CategoryChoice, CategoryField } from './category-field.tsx'
import { ChooseButtons } from './choose-buttons.tsx'
import { DropAnywhere } from './drop-anywhere.tsx'
import { InterruptedOffer } from './interrupted-offer.tsx'
import type { Chosen } from './take-dropped.ts'
import { takenKinds, takesVideos } from './taken-kinds.ts'
import { isUnderWay } from './upload-entries.ts'
import { UploadProgress } from './upload-progress.tsx'
import { UploadReport } from './upload-report.tsx'
import { UploadRows } from './upload-rows.tsx'
import { useUploads } from './upload-state.ts'
import { addFiles, belongTo, findInterruptedUploads, type Target } from './uploader.ts'
import { registerOpenPanel } from './watch-uploads.ts'

const t = translator('uploads')

export function UploadPanel({ eventId }: { eventId: number }) {
  const may = useMay()
  const event = useEvent()
  if (!may('photos.upload') || event.is_archived) return null
  return <OpenPanel key={eventId} eventId={eventId} eventName={event.event_name} isFirst={event.photo_count === 0} />
}

function OpenPanel({ eventId, eventName, isFirst }: { eventId: number; eventName: string; isFirst: boolean }) {
  const me = useMe()
  const taken = useTakenKinds()
  const [category, setCategory] = useState<CategoryChoice>(null)
  const state = useUploads()
  const entries = state.entries.filter((entry) => entry.eventId === eventId)
  const isBusy = entries.some(isUnderWay)
  const interrupted = state.interrupted.get(eventId) ?? null
  useEffect(() => {
    belongTo(me.id)
    void findInterruptedUploads(eventId, me.id)
    return registerOpenPanel(eventId)
  }, [eventId, me.id])

  const target: Target = { eventId, eventName, category, taken }
  const onChosen = (chosen: Chosen) => addFiles(chosen, target)
  const isLarge = isFirst && entries.length === 0 && !interrupted
  return (
    <section className={`upload-panel${isLarge ? ' first' : ''}`} aria-label={t('title')}>
      <DropAnywhere eventName={eventName} onDropped={onChosen} />
      {interrupted && <InterruptedOffer interrupted={interrupted} target={target} />}
      {isBusy && <UploadProgress state={state} entries={entries} eventId={eventId} />}
      {!isBusy && entries.length > 0 && <UploadReport state={state} entries={entries} eventId={eventId} />}
      {isBusy && <UploadRows entries={entries} />}
      <div className="upload-choose">
        <p className="upload-hint">
          {t(entries.length > 0 ? 'dropMore' : !isLarge ? 'dropSlim' : takesVideos(taken) ? 'drop' : 'dropPhotos')}
        </p>
        <ChooseButtons taken={taken} isPrimary={isLarge} onChosen={onChosen} />
        <CategoryField eventId={eventId} value={category} onChange={setCategory} />
      </div>
    </section>
  )
}

/** Null until it is loaded, or without the permission to read the settings. */
function useTakenKinds() {
  const may = useMay()
  const { data } = useQuery({
    queryKey: ['uploads', 'taken'],
    queryFn: async ({ signal }) => takenKinds(await must(api.GET('/api/admin/settings', { signal }))),
    enabled: may('settings.view'),
    staleTime: 60_000,
  })
  return data ?? null
}
