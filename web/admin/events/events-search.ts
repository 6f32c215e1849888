import type { paths } from '../api/admin-api.d.ts'

export type EventsSearch = {
  search?: string | undefined
  status?: string | undefined
  type?: string | undefined
  /** An `EventOrder`; other values are ignored. */
  sort?: string | undefined
  page?: number | undefined
}

export type EventsAsked = NonNullable<paths['/api/admin/events']['get']['parameters']['query']>

export const eventStates = ['draft', 'live', 'expired', 'archived'] as const

/** The sort orders by their name in the address. The first one is the default. */
export const eventOrders = {
  newest: {},
  name: { sort: 'name' },
  date: { sort: 'event_date' },
  expiry: { sort: 'expires_at', order: 'asc' },
  photos: { sort: 'photos' },
  views: { sort: 'views' },
} as const satisfies Record<string, EventsAsked>

export type EventOrder = keyof typeof eventOrders
export const isOrder = (name: string | undefined): name is EventOrder =>
  name !== undefined && Object.hasOwn(eventOrders, name)

const atOnce = 25

/** Removes undefined values, so that they do not appear in the address. */
export const given = (search: EventsSearch): { [K in keyof EventsSearch]?: NonNullable<EventsSearch[K]> } =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

/** Returns the query for the API. Unknown states and orders are left out. */
export function askedBy({ search, status, type, sort, page }: EventsSearch): EventsAsked {
  const state = eventStates.find((one) => one === status)
  return {
    limit: atOnce,
    ...(search && { search }),
    ...(state && { state }),
    ...(type && { event_type: type }),
    ...(isOrder(sort) && eventOrders[sort]),
    ...(page && { page }),
  }
}
