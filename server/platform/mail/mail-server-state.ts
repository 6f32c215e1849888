import { StateCache } from '../background/changes.ts'
import { inSnapshot } from '../database/transaction.ts'
import type { PlatformContext } from '../platform-context.ts'

/**
 * Returns a function that says whether mails can be sent. It reads the database once after each change of the settings,
 * and calls `onChange` after such a change.
 */
export function watchMailServer(ctx: PlatformContext, onChange: () => void): () => Promise<boolean> {
  const { config, db, mailer, changes } = ctx
  const cache = new StateCache<'now', { isConfigured: boolean }>(changes, { max: 1 })
  changes.on('settings', () => {
    cache.drop()
    onChange()
  })
  const read = async () => ({ isConfigured: (await inSnapshot(db, mailer.newStatus)) === 'queued' })
  return async () => config.smtp !== null || ((await cache.getOrLoad('now', read))?.isConfigured ?? false)
}
