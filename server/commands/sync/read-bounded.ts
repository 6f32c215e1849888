import type { PagedList } from '../../../clients/typescript/source/index.ts'
import type { MessageKey } from '../../../locales/catalogs.ts'
import { t } from '../../platform/text/command-messages.ts'
import { CommandRejected } from '../command-errors.ts'

/** As many rows as the guests of an event store. No event has as many photos. */
const maxEntries = 200_000

type Bounds<Key> = {
  /** The key of the entries in a page. */
  key: Key
  /** The message if there are too many. */
  tooMany: MessageKey<'commands'>
  isStopped: () => boolean
}

type Entry<List> = List extends ReadonlyArray<infer Item> ? Item : never

/**
 * Yields the entries of a list. Ends early, between pages, when `isStopped` returns true. Throws ProofroomError, and
 * CommandRejected for more than 200,000 entries: the service may not be the one that the operator expects.
 */
export async function* readBounded<Page, Key extends keyof Page>(
  list: PagedList<unknown, Page>,
  { key, tooMany, isStopped }: Bounds<Key>,
): AsyncGenerator<Entry<Page[Key]>, void> {
  let count = 0
  // By pages, because a hostile service can send empty ones for a long time.
  for await (const page of list.pages()) {
    if (isStopped()) return
    for (const entry of (page[key] ?? []) as Array<Entry<Page[Key]>>) {
      if (++count > maxEntries) {
        throw new CommandRejected(t(tooMany))
      }
      yield entry
    }
  }
}
