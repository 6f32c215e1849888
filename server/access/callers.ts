import type { Scope } from '../../contract/access.ts'
import type { User } from './account-rows.ts'

/** Somebody with an account, by admin session or by API token. */
export type AccountCaller = {
  user: User
  /** The scope of the API token; null for an admin session, which may do all that its role may. */
  scope: Scope | null
  /** The API token itself; an admin session has none. */
  tokenId?: number
  /** Where the credential came from: writes by cookie must come from our own pages. */
  via: 'header' | 'cookie'
}

/** A guest of one gallery. */
export type GuestCaller = {
  eventId: number
  accessKey: string
  guestId: string
  /** Set for a customer, whose assignment is checked at every request; it holds in every session made from this one. */
  customer?: CustomerCaller
}

/** A customer by a session of the customer's own. Whether the customer still has this version is not told by it. */
export type CustomerCaller = { customerId: number; version: number }
