import type { paths } from '../api/admin-api.d.ts'

export type EventsSearch = {
  search?: string | undefined
  status?: string | undefined
  type?: string | undefined
  /** An `EventOrder`; other values are ignored. */
  sort?: string | undefined
  page?: number | undefined
}

export type EventListQuery = NonNullable<paths['/api/admin/events']['get']['parameters']['query']>

export const eventStates = ['draft', 'live', 'expired', 'archived'] as const

/** The query of each sort order, by its name in the address. `newest` is the default. */
export const eventOrders = {
  newest: {},
  name: { sort: 'name' },
  date: { sort: 'event_date' },
  expiry: { sort: 'expires_at', order: 'asc' },
  photos: { sort: 'photos' },
  views: { sort: 'views' },
} as const satisfies Record<string, EventListQuery>

export type EventOrder = keyof typeof eventOrders
const isEventOrder = (name: string | undefined): name is EventOrder =>
  name !== undefined && Object.hasOwn(eventOrders, name)

export const omitUndefined = (search: EventsSearch): { [K in keyof EventsSearch]?: NonNullable<EventsSearch[K]> } =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

/** Omits unknown states and orders. */
export function buildEventListQuery({ search, status, type, sort, page }: EventsSearch): EventListQuery {
  const state = eventStates.find((one) => one === status)
  return {
    limit: 25,
    ...(search && { search }),
    ...(state && { state }),
    ...(type && { event_type: type }),
    ...(isEventOrder(sort) && eventOrders[sort]),
    ...(page && { page }),
  }
}
