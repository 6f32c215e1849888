import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasPermission } from '../app/me.ts'
import { settingsQuery } from '../app/query-client.ts'
import { useEvent } from '../events/event-context.tsx'
import { type AcceptedTypes, parseAcceptedTypes } from './accepted-types.ts'
import type { CategoryChoice } from './category-field.tsx'
import type { ChosenFiles } from './chosen-files.ts'
import type { Interrupted } from './stored-queue.ts'
import { useInterrupted } from './upload-state.ts'
import { addFiles, type UploadTarget } from './uploader.ts'

/** Where the next chosen files go. */
export type UploadChoice = {
  target: UploadTarget
  setCategory: (category: CategoryChoice) => void
  add: (chosen: ChosenFiles) => void
}

type Chosen = { eventId: number; shownCategory: number | null; category: CategoryChoice }

/**
 * Returns null if the account may not upload to the event. `shownCategory`: the category whose photos the page shows, which
 * the files get unless the user chooses another one.
 */
export function useUploadChoice(shownCategory: number | null = null): UploadChoice | null {
  const { id: eventId, event_name: eventName, keep_versions: keepsVersions, is_archived } = useEvent()
  const hasPermission = useHasPermission()
  const acceptedTypes = useAcceptedTypes()
  const interrupted = useInterrupted(eventId)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  if (!hasPermission('photos.upload') || is_archived) return null
  const isCurrent = chosen?.eventId === eventId && chosen.shownCategory === shownCategory
  const category = isCurrent ? chosen.category : (guessCategory(interrupted) ?? shownCategory)
  const target = { eventId, eventName, category, keepsVersions, acceptedTypes }
  return {
    target,
    setCategory: (next) => setChosen({ eventId, shownCategory, category: next }),
    add: (files) => addFiles(files, target),
  }
}

/** Returns what was chosen for interrupted uploads, because the rest of their folder belongs to the same category. */
function guessCategory(interrupted: Interrupted | null): CategoryChoice {
  const categories = new Set(interrupted?.files.map(({ category }) => category))
  if ([...categories].some((category) => typeof category === 'string')) return 'folders'
  const [first = null, ...others] = categories
  return others.length === 0 && typeof first === 'number' ? first : null
}

/** Returns null until the settings are loaded, or if the account may not read them. */
function useAcceptedTypes(): AcceptedTypes | null {
  const hasPermission = useHasPermission()
  const { data } = useQuery({
    ...settingsQuery,
    select: parseAcceptedTypes,
    enabled: hasPermission('settings.view'),
  })
  return data ?? null
}
