import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A link may consist of an outdated share token alone. */
export const outdatedLinksByToken: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('create index outdated_links_by_token on outdated_links (token_hash)').execute(db)
  },
}
