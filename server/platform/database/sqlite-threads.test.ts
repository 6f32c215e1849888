import { expect, test, vi } from 'vitest'
import { databaseForTest, readCommittedNotes } from '../../../tests/support/database/test-database.ts'

// Other tests of this process share idle threads, so this test imports a new instance of the module.
vi.resetModules()
const { SqliteThread } = await import('./sqlite-thread-client.ts')
const { setMaxIdleThreads, acquireThread, releaseThread } = await import('./sqlite-thread-client.ts')

const addNote = 'insert into notes (text) values (?)'

test('closing completes earlier statements and ends the thread', async () => {
  const { file } = await databaseForTest()
  const connection = new SqliteThread(file, { readonly: false })
  const replies = ['a', 'b'].map((text) => connection.send([[addNote, [text]]]))
  await connection.close()
  expect((await Promise.all(replies)).map(({ results }) => results[0]?.changes)).toEqual([1, 1])
  expect(readCommittedNotes(file)).toEqual(['a', 'b'])
})

test('a kept thread opens the next file and closes the previous one', async () => {
  setMaxIdleThreads(1)
  const [first, second] = [await databaseForTest(), await databaseForTest()]
  const previous = new SqliteThread(first.file, { readonly: false })
  await previous.send([[addNote, ['a']]])
  await previous.close()
  const kept = acquireThread()
  const { threadId } = kept
  await releaseThread(kept)

  const next = new SqliteThread(second.file, { readonly: false })
  await next.send([[addNote, ['b']]])
  await next.close()
  const again = acquireThread()
  expect(again.threadId).toBe(threadId)
  expect(readCommittedNotes(first.file)).toEqual(['a'])
  expect(readCommittedNotes(second.file)).toEqual(['b'])
  setMaxIdleThreads(0)
  await releaseThread(again)
  // An ended thread has the id -1.
  expect(again.threadId).toBe(-1)
})
