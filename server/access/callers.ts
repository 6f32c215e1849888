import type { Scope } from '../../contract/access.ts'
import type { User } from './account-rows.ts'

export type AccountCaller = {
  user: User
  /** The scope of the API token; null for an admin session, which has all permissions of the role. */
  scope: Scope | null
  tokenId?: number
  /** The source of the credential: a write by cookie must come from our own pages. */
  via: 'header' | 'cookie'
}

export type GuestCaller = {
  eventId: number
  accessKey: string
  guestId: string
  /** Set for a customer, whose assignment is checked at each request. */
  customer?: CustomerCaller
}

/** Does not show whether the version is still current. */
export type CustomerCaller = { customerId: number; version: number }
