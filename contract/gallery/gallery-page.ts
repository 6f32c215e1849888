import type { Static } from 'typebox'
import type { CategoryRecord } from '../categories.ts'
import type { FeedbackSettings, MyFeedback } from '../feedback.ts'
import type { GalleryFilterQuery, GalleryInfo, GalleryPhoto, GallerySortQuery } from './gallery.ts'
import type { GuestRecord, OwnSelection } from './guests.ts'

export const pageDataId = 'gallery-data'

/** Includes the time zone, because guests may be in another zone than the operator. */
export const revealFormat = {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/** Formats the day of `time`, with the year if it is not the current one. */
export function dayOf(locale: string, time: string, now: number, timeZone?: string): string {
  const [then, today] = [time, now].map((at) =>
    new Intl.DateTimeFormat('en', { year: 'numeric', ...(timeZone && { timeZone }) }).format(new Date(at)),
  )
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(then !== today && { year: 'numeric' }),
    ...(timeZone && { timeZone }),
  }).format(new Date(time))
}

export type GalleryListQueryParams = GalleryFilterQuery & GallerySortQuery

/** The data that the page contains for its script, so that the grid works before the first API request. */
export type GalleryPageData = {
  slug: string
  event: GalleryInfo
  feedback: Static<typeof FeedbackSettings>
  /** A signed-in operator cannot give feedback. */
  viewer: { kind: 'guest' | 'operator'; guest: GuestRecord | null }
  categories: Array<Static<typeof CategoryRecord>>
  asked: GalleryListQueryParams
  takes_videos: boolean
  /** The first photos of `asked`, which are rendered in the page. */
  photos: GalleryPhoto[]
  total: number
  filtered: number
  counts: MyFeedback['counts']
  selection: OwnSelection | null
  locale: string
  /** `name` is the name of the language in that language. */
  languages: Array<{ code: string; name: string }>
  /** The path to share instead of the current address, if that address is only valid for this guest; otherwise null. */
  share_path: string | null
  messages: Record<
    string,
    string | { zero?: string; one?: string; two?: string; few?: string; many?: string; other: string }
  >
}
