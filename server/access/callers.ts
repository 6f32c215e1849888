import type { Scope } from '../../contract/access.ts'
import type { User } from './account-rows.ts'

export type AccountCaller = {
  user: User
  /** The scope of the API token; null for an admin session, which has all permissions of the role. */
  scope: Scope | null
  tokenId?: number
  /** Whether an API token may read private notes; sessions may. */
  readsNotes?: boolean
  /** How the credential was sent. A write with a cookie must come from a page of this service. */
  via: 'header' | 'cookie'
}

export type GuestCaller = {
  eventId: number
  accessKey: string
  guestId: string
  /** An operator who previews the gallery as a guest. A preview cannot write and is not counted. */
  isPreview?: boolean
  /** Set if a customer opened the gallery. The assignment to the event is checked at each request. */
  customer?: CustomerCaller
}

/** `version` is the session version of the customer at sign-in. It may be older than the current one. */
export type CustomerCaller = { customerId: number; version: number }
