import { afterEach, expect, test, vi } from 'vitest'
import { ThreadedSqliteDriver } from '../../../server/platform/database/sqlite-dialect.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()

afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns how many SQL statements the service runs meanwhile. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const { read, runInTransaction, runStandalone } = ThreadedSqliteDriver.prototype
  vi.spyOn(ThreadedSqliteDriver.prototype, 'read').mockImplementation(function (this: ThreadedSqliteDriver, ...query) {
    count++
    return read.apply(this, query)
  })
  vi.spyOn(ThreadedSqliteDriver.prototype, 'runStandalone').mockImplementation(function (
    this: ThreadedSqliteDriver,
    ...query
  ) {
    count++
    return runStandalone.apply(this, query)
  })
  vi.spyOn(ThreadedSqliteDriver.prototype, 'runInTransaction').mockImplementation(function (
    this: ThreadedSqliteDriver,
    statements,
  ) {
    count += statements.length
    return runInTransaction.call(this, statements)
  })
  await work()
  vi.restoreAllMocks()
  return count
}

test('packages, comments, notes, pins and boxes that are off cost the page, a list and a mark no statement', async () => {
  const event = await createEvent(service.api, {
    allow_comments: false,
    allow_notes: false,
    allow_annotations: false,
    show_feedback_to_guests: false,
  })
  const [id] = await uploadPhotos(service.api, event.id, 2)
  const guest = await enterAsGuest(service, event)
  const gallery = `/api/gallery/${event.slug}`
  const cookie = { cookie: `gallery_${event.id}=${guest.token}` }
  const page = async () =>
    expect((await service.anonymous.get(`/gallery/${event.slug}`, cookie)).bytes.toString()).toContain('id="photos"')
  const list = async () => expect((await guest.get(`${gallery}/photos`)).status).toBe(200)
  const mark = (set: boolean) => async () => {
    const body = { feedback_type: 'favorite', set }
    expect((await guest.post(`${gallery}/photos/${id}/feedback`, body)).status).toBe(200)
  }
  // The first run of each does what is done only once. Jobs in the background add statements to some runs.
  const runs: Array<Record<string, number>> = []
  for (let run = 0; run < 6; run++) {
    await mark(false)()
    const counts: Record<string, number> = {}
    for (const [name, work] of Object.entries({ page, list, mark: mark(true) }))
      counts[name] = await countStatements(work)
    runs.push(counts)
  }
  const least = (name: string) => Math.min(...runs.map((counts) => counts[name] ?? 0))
  // The same as before these features existed. A new statement here is paid by every gallery.
  expect({ page: least('page'), list: least('list'), mark: least('mark') }).toEqual({ page: 7, list: 4, mark: 9 })
})
