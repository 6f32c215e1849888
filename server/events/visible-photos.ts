import { type RawBuilder, sql } from 'kysely'

/**
 * Checks only the photo. `server/gallery-access/viewing-rules.ts` also checks the reveal, the expiry and the settings of the
 * event.
 */
export const isVisibleToGuests = ({ visibility }: { visibility: string }): boolean => visibility === 'visible'

/** The same as a query condition. `photos` is the name of the table or its alias. */
export const visibleToGuests = (photos = 'photos'): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${photos}.visibility`)} = ${'visible'}`
