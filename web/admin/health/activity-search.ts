import { omitUndefined } from '../app/search-params.ts'

export type ActivitySearch = { page?: number; event?: number; user?: number; action?: string; since?: string }
export type ActivityChanges = { [K in keyof ActivitySearch]: ActivitySearch[K] | undefined }

const parseId = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) >= 1 ? Number(value) : undefined

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))

/** Omits invalid values: an address may contain anything. */
export const parseActivitySearch = ({ page, event, user, action, since }: Record<string, unknown>): ActivitySearch =>
  omitUndefined({
    page: parseId(page),
    event: parseId(event),
    user: parseId(user),
    action: typeof action === 'string' && /^[a-z]{1,60}$/i.test(action) ? action : undefined,
    since: isDay(since) ? since : undefined,
  })

/** Returns the query parameters of the API. `since` is a day; the API gets the start of that day in local time. */
export const toActivityQuery = ({ page = 1, event, user, action, since }: ActivitySearch) => ({
  page,
  ...omitUndefined({
    event_id: event,
    user_id: user,
    action,
    since: since === undefined ? undefined : new Date(`${since}T00:00`).toISOString(),
  }),
})

export const isFiltered = ({ event, user, action, since }: ActivitySearch): boolean =>
  [event, user, action, since].some((value) => value !== undefined)
