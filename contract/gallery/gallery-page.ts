import type { Static } from 'typebox'
import type { CategoryRecord } from '../categories.ts'
import type { FeedbackSettings, MyFeedback } from '../feedback.ts'
import type { GalleryFilterQuery, GalleryInfo, GalleryPhoto, GallerySortQuery } from './gallery.ts'
import type { GuestRecord } from './guests.ts'
import type { PhotoGroup } from './photo-groups.ts'
import type { GuestRound } from './rounds.ts'
import type { OwnSelection } from './selections.ts'

export const pageDataId = 'gallery-data'

/** The format of the reveal time, with the time zone, because guests may be in another zone than the operator. */
export const revealFormat = {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/** Formats the date of `time`, with the year only if it differs from the year of `now`. */
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

/** The data in the HTML page for its script, so that the grid works before the first API request. */
export type GalleryPageData = {
  slug: string
  event: GalleryInfo
  feedback: Static<typeof FeedbackSettings>
  /** `guest` is null for an operator, who cannot give feedback. `is_preview`: an operator sees what guests see. */
  viewer: { kind: 'guest' | 'operator'; is_preview?: boolean; guest: GuestRecord | null }
  categories: Array<Static<typeof CategoryRecord>>
  asked: GalleryListQueryParams
  /** Empty if the list is not grouped. */
  groups: PhotoGroup[]
  /** The number of matching photos before `photos`. */
  offset: number
  takes_videos: boolean
  takes_heic: boolean
  takes_raw: boolean
  /** The photos that the server has rendered in the page: one page of those that match `asked`. */
  photos: GalleryPhoto[]
  total: number
  /** How many of `total` are videos. */
  video_count: number
  filtered: number
  counts: MyFeedback['counts']
  selection: OwnSelection | null
  /** Whether the photographer has answered in a thread of the guest. Missing if not. */
  has_answers?: true
  /** Null without a package. */
  round: GuestRound | null
  has_small_tiles: boolean
  locale: string
  /** `name` is the name of the language in that language. */
  languages: Array<{ code: string; name: string }>
  /** The path of the share link if the viewer may share it and the page was opened without it; otherwise null. */
  share_path: string | null
  messages: Record<
    string,
    string | { zero?: string; one?: string; two?: string; few?: string; many?: string; other: string }
  >
}
