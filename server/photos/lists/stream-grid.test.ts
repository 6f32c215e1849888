import type { KyselyPlugin } from 'kysely'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { GridQuery } from '../../../contract/photo-grid.ts'
import { addPhotoRows } from '../../../tests/support/database/photo-rows.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import type { TestService } from '../../../tests/support/service/test-service.ts'
import { createUser } from '../../access/accounts.ts'
import { createEvent } from '../../events/create-event.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { parseGridQuery } from './list-grid.ts'
import { streamGrid } from './stream-grid.ts'

const photoCount = 12_000

async function openList(query: Record<string, string> = {}) {
  const ctx = await contextForTest()
  const account = { username: 'ana', email: 'ana@studio.example', password: 'a long password' }
  const user = await createUser(ctx, { ...account, mustChangePassword: false, role: 'super_admin' })
  const body = { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false }
  const event = await createEvent(ctx, { user, scope: null, via: 'header' }, body)
  const photos = Array.from({ length: photoCount }, (_, index) => ({
    uploadedAt: 1_700_000_000_000 + index,
    visibility: 'visible' as const,
    sizeBytes: 1_000 + index,
  }))
  const ids = await addPhotoRows({ dataDir: ctx.config.dataDir } as TestService, event.id, photos)

  let queries = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const countingCtx: PlatformContext = { ...ctx, db: ctx.db.withPlugin(counting) }
  const gridQuery = parseGridQuery(Value.Default(GridQuery, query) as GridQuery, { eventId: event.id, userId: user.id })
  const list = await streamGrid(countingCtx, gridQuery, event.slug)
  /** Gives the stream the time of 30 queries, in which it must not read much further. */
  const rest = async () => {
    for (let asked = 0; asked < 30; asked++) await ctx.db.selectFrom('events').select('id').execute()
  }
  return { ctx, list, ids, rest, queries: () => queries }
}

const shownIn = (text: string): number[] => JSON.parse(text).photos.map(({ id }: { id: number }) => id)

test('the streamed list is read only as fast as the client reads, and stops when it disconnects', async () => {
  const { list, rest, queries } = await openList()
  const chunks = list[Symbol.asyncIterator]()
  await chunks.next()
  await rest()
  expect(queries()).toBeLessThan(8)
  await chunks.return?.()
  expect(list.destroyed).toBe(true)
  const asked = queries()
  await rest()
  expect(queries()).toBe(asked)
})

test('the streamed list leaves out only photos that were deleted, and contains none twice that moves to a later position', async () => {
  const { ctx, list, ids } = await openList({ sort: 'size' })
  const [first, second] = ids as [number, number]
  const last = ids.at(-1) as number
  let text = ''
  for await (const chunk of list) {
    if (text === '') {
      // The first two photos are already sent. A larger size moves the first to the end.
      await ctx.db.updateTable('photos').set({ size_bytes: 1e9 }).where('id', '=', first).execute()
      await ctx.db.deleteFrom('photos').where('id', 'in', [second, last]).execute()
    }
    text += chunk
  }
  expect(shownIn(text)).toEqual(ids.filter((id) => id !== last))
})
