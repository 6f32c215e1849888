import { expect, test, vi } from 'vitest'
import { databaseForTest, notesSeenFromOutside } from '../../../tests/support/test-database.ts'

// Other tests of this process keep idle threads in this module.
vi.resetModules()
const { SqliteThread } = await import('./sqlite-thread-client.ts')
const { keepIdleThreads, takeThread, giveBackThread } = await import('./sqlite-threads.ts')

const addNote = 'insert into notes (text) values (?)'

test('closing completes earlier statements and ends the thread', async () => {
  const { file } = await databaseForTest()
  const connection = new SqliteThread(file, { readonly: false })
  const replies = ['a', 'b'].map((text) => connection.send(addNote, [text]))
  await connection.close()
  expect((await Promise.all(replies)).map(({ changes }) => changes)).toEqual([1, 1])
  expect(notesSeenFromOutside(file)).toEqual(['a', 'b'])
})

test('a kept thread opens the next file and closes the previous one', async () => {
  keepIdleThreads(1)
  const [first, second] = [await databaseForTest(), await databaseForTest()]
  const former = new SqliteThread(first.file, { readonly: false })
  await former.send(addNote, ['a'])
  await former.close()
  const kept = takeThread()
  const { threadId } = kept
  await giveBackThread(kept)

  const next = new SqliteThread(second.file, { readonly: false })
  await next.send(addNote, ['b'])
  await next.close()
  const again = takeThread()
  expect(again.threadId).toBe(threadId)
  expect(notesSeenFromOutside(first.file)).toEqual(['a'])
  expect(notesSeenFromOutside(second.file)).toEqual(['b'])
  keepIdleThreads(0)
  await giveBackThread(again)
  // An ended thread has the id -1.
  expect(again.threadId).toBe(-1)
})
