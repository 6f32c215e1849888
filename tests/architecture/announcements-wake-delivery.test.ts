import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

const announces = /\b(?:announce|queueDeliver)\w*\(\s*tx\b/
/** Directly, or through a function that notifies about every change of state or stored file. */
const wakesDelivery = /(?:tell|notify)\('delivery'|\bnotify(?:StateChange|Stored)\(ctx/
/** Functions that announce within a transaction. Only the operation that calls them has the commit. */
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
  expect(operations.length).toBeGreaterThan(8)
  expect(operations.filter(({ text }) => !wakesDelivery.test(text)).map(({ file }) => file)).toEqual([])
})
