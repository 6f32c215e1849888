import type { Static } from 'typebox'
import type { CategoryRecord } from './categories.ts'
import type { FeedbackSettings, MyFeedback } from './feedback.ts'
import type { GalleryFilterQuery, GalleryInfo, GalleryPhoto, GallerySortQuery } from './gallery.ts'
import type { GuestRecord, OwnSelection } from './guests.ts'

/** The element of the page that carries `GalleryPageData`. */
export const pageDataId = 'gallery-data'

/** How the time of the reveal is written: with the zone it is in. */
export const revealFormat = {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/** The day of `time`, with its year when that is over: in the reader's own zone, or in the one given. */
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

/** What the list is asked for: its filters and its order, as the address of the page and the API write them. */
export type GalleryAsked = GalleryFilterQuery & GallerySortQuery

/** What the page tells its script, so that the grid answers before anything else is asked for. */
export type GalleryPageData = {
  slug: string
  event: GalleryInfo
  feedback: Static<typeof FeedbackSettings>
  /** An operator who looks in marks nothing. */
  viewer: { kind: 'guest' | 'operator'; guest: GuestRecord | null }
  categories: Array<Static<typeof CategoryRecord>>
  asked: GalleryAsked
  /** Whether guests who bring photos may bring videos too. */
  takes_videos: boolean
  /** Of `asked`, from the first on: those that the page shows itself. */
  photos: GalleryPhoto[]
  total: number
  filtered: number
  /** What the guest has given to photos of this gallery. */
  counts: MyFeedback['counts']
  /** What the guest has handed in last; null for nothing. */
  selection: OwnSelection | null
  locale: string
  /** Languages to choose from: code and own name. */
  languages: Array<{ code: string; name: string }>
  /** What to give on of an address that opens to nobody else; null where the address itself will do. */
  share_path: string | null
  texts: Record<
    string,
    string | { zero?: string; one?: string; two?: string; few?: string; many?: string; other: string }
  >
}
