import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

const announces = /(?:[aA]nnounce|queueDeliver)\w*\(\s*tx\b/
/** Matches a call that wakes the delivery, directly or through a function that notifies about other changes too. */
const wakesDelivery = /(?:tell|notify)\('delivery'|\bnotify(?:StateChange|Stored)\(ctx/
/**
 * Files with functions that announce within the transaction of the calling function, which wakes the delivery after the
 * commit.
 */
const announcingFiles = [
  'webhooks/announce.ts',
  'webhooks/delivery/queue-delivery.ts',
  'events/event-announcements.ts',
  'photos/photo-announcements.ts',
]

test('every operation that announces something wakes the delivery after its commit', () => {
  const operations = sourceFiles('server')
    .filter((file) => !announcingFiles.some((word) => file === `server/${word}`))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => announces.test(text))
  expect(operations.length).toBeGreaterThan(10)
  expect(operations.filter(({ text }) => !wakesDelivery.test(text)).map(({ file }) => file)).toEqual([])
})
