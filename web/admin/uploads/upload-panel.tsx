import './upload-panel.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isActive } from '../../shared/uploads/upload-entries.ts'
import { translator } from '../app/language.ts'
import { useMe } from '../app/me.ts'
import { useEvent } from '../events/event-context.tsx'
import { eventCategoriesQuery } from '../events/event-queries.ts'
import { acceptsVideos } from './accepted-types.ts'
import { ChooseFiles } from './choose-files.tsx'
import { DropZone } from './drop-zone.tsx'
import { InterruptedOffer } from './interrupted-offer.tsx'
import { SameNameQuestions } from './same-name-question.tsx'
import { deleteStoredReport, loadStoredReport, type StoredReport } from './stored-report.ts'
import { UploadProgress } from './upload-progress.tsx'
import { ReportView, UploadReport } from './upload-report.tsx'
import { UploadRows } from './upload-rows.tsx'
import { useUploads } from './upload-state.ts'
import { findInterruptedUploads, setOwner } from './uploader.ts'
import type { UploadChoice } from './use-upload-choice.ts'
import { registerOpenPanel } from './watch-uploads.ts'

const t = translator('uploads')

/** `isFolded`: the page has a button to choose files, so the panel shows only uploads and what was interrupted. */
export function UploadPanel({ choice, isFolded }: { choice: UploadChoice; isFolded: boolean }) {
  const me = useMe()
  const { eventId, eventName, category, acceptedTypes } = choice.target
  const isFirst = useEvent().photo_count === 0
  const state = useUploads()
  const entries = state.entries.filter((entry) => entry.eventId === eventId)
  const isOpen = entries.some(isActive)
  const isBusy = entries.some((entry) => isActive(entry) && entry.state !== 'asked')
  const interrupted = state.interrupted.get(eventId) ?? null
  useEffect(() => {
    setOwner(me.id)
    void findInterruptedUploads(eventId, me.id)
    return registerOpenPanel(eventId)
  }, [eventId, me.id])

  const { data: categories } = useQuery({ ...eventCategoriesQuery(eventId), enabled: typeof category === 'number' })
  const categoryName = categories?.find(({ id }) => id === category)?.name
  const place = categoryName === undefined ? eventName : `${eventName} · ${categoryName}`
  const hasOwnReport = entries.length > 0
  const [stored, closeStored] = useStoredReport(eventId, me.id, hasOwnReport)
  // The uploads of this page have their own report.
  const earlier = entries.length === 0 ? stored : null
  const isEmpty = entries.length === 0 && !interrupted && !earlier
  const isLarge = isFirst && isEmpty && !isFolded
  return (
    <>
      <DropZone place={place} onDropped={choice.add} />
      {!(isEmpty && isFolded) && (
        <section className={`upload-panel${isLarge ? ' first' : ''}`} aria-label={t('title')}>
          {interrupted && <InterruptedOffer interrupted={interrupted} target={choice.target} />}
          {isBusy && <UploadProgress state={state} entries={entries} eventId={eventId} />}
          {isOpen && <SameNameQuestions eventId={eventId} entries={entries} />}
          {!isOpen && entries.length > 0 && <UploadReport state={state} entries={entries} eventId={eventId} />}
          {earlier && <ReportView stored={earlier} eventId={eventId} eventName={eventName} onDone={closeStored} />}
          {isBusy && <UploadRows entries={entries} />}
          {(!isFolded || interrupted) && (
            <ChooseFiles
              choice={choice}
              isPrimary={isLarge}
              hint={t(
                !isEmpty ? 'dropMore' : !isLarge ? 'dropSlim' : acceptsVideos(acceptedTypes) ? 'drop' : 'dropPhotos',
              )}
            />
          )}
        </section>
      )}
    </>
  )
}

/** Returns the report that an earlier page stored, unless another one replaces it, and a function that deletes it. */
function useStoredReport(eventId: number, userId: number, isReplaced: boolean): [StoredReport | null, () => void] {
  const [stored, setStored] = useState<StoredReport | null>(null)
  useEffect(() => {
    let isCurrent = true
    setStored(null)
    if (isReplaced) return
    void loadStoredReport(eventId, userId).then((found) => isCurrent && setStored(found))
    return () => {
      isCurrent = false
    }
  }, [eventId, userId, isReplaced])
  const close = () => {
    deleteStoredReport(eventId, userId)
    setStored(null)
  }
  return [stored, close]
}
