import { omitUndefined } from '../app/search-params.ts'

export type ActGroup = 'guests' | 'accounts'

/** `by`: guests unless it is set. `before` continues after the last entry of the page before. */
export type ActivitySearch = {
  by?: 'accounts'
  before?: string
  event?: number
  user?: number
  action?: string
  since?: string
}
export type ActivityChanges = { [K in keyof ActivitySearch]: ActivitySearch[K] | undefined }

const parseId = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) >= 1 ? Number(value) : undefined

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))

/** Omits invalid values: an address may contain anything. Only accounts can be chosen as users. */
export const parseActivitySearch = ({
  by,
  before,
  event,
  user,
  action,
  since,
}: Record<string, unknown>): ActivitySearch =>
  omitUndefined({
    by: by === 'accounts' || parseId(user) !== undefined ? ('accounts' as const) : undefined,
    before: typeof before === 'string' && /^\d{1,15}\.[\w.-]{1,200}$/.test(before) ? before : undefined,
    event: parseId(event),
    user: parseId(user),
    action: typeof action === 'string' && /^[a-z_]{1,60}$/i.test(action) ? action : undefined,
    since: isDay(since) ? since : undefined,
  })

/** Returns the query parameters of the API. `since` is a day; the API gets the start of that day in local time. */
export const toActivityQuery = ({ by, before, event, user, action, since }: ActivitySearch) => ({
  by: by ?? ('guests' as const),
  ...omitUndefined({
    before,
    event_id: event,
    user_id: user,
    action,
    since: since === undefined ? undefined : new Date(`${since}T00:00`).toISOString(),
  }),
})

export const isFiltered = ({ event, user, action, since }: ActivitySearch): boolean =>
  [event, user, action, since].some((value) => value !== undefined)
