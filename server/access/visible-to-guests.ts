import { type RawBuilder, sql } from 'kysely'

/** Whether guests see a photo. `gallery/viewing-rules.ts` also has the reveal, the expiry and the settings of the event. */
export const isVisibleToGuests = ({ visibility }: { visibility: string }): boolean => visibility === 'visible'

/** The same as a condition of a query, for the table `photos` or its alias. */
export const visibleToGuests = (photos = 'photos'): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${photos}.visibility`)} = ${'visible'}`
