import { type CustomerState, createCustomerState } from '../access/customers/customer-state.ts'
import { createGuestRowLimits, type GuestRowLimits } from '../events/guests/guest-row-limits.ts'
import type { AppContext } from '../settings/app-context.ts'
import { createGalleryState, createMergedGuests, type GalleryState, type MergedGuests } from './gallery-state.ts'

/** What a route of guests needs. */
export type GalleryAccessContext = AppContext & {
  galleries: GalleryState
  mergedGuests: MergedGuests
  customers: CustomerState
  guestRows: GuestRowLimits
}

export const createGalleryAccessContext = (ctx: AppContext): GalleryAccessContext => ({
  ...ctx,
  galleries: createGalleryState(ctx),
  mergedGuests: createMergedGuests(ctx),
  customers: createCustomerState(ctx),
  guestRows: createGuestRowLimits(ctx),
})
