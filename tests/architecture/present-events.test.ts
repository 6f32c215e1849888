import { expect, test } from 'vitest'
import { readText, sourceFiles } from './source-files.ts'

const findReaders = (pattern: RegExp): string[] =>
  sourceFiles('server')
    .filter((file) => !file.startsWith('server/migrations/') && pattern.test(readText(file)))
    .sort()

/** Files that may read events in the trash, and why. */
const readers: Record<string, string> = {
  'server/events/event-rows.ts': 'defines `presentEvents`',
  'server/events/trash/trashed-event-rows.ts': 'the trash',
  'server/events/event-ownership.ts': 'a new creator needs no membership, also of an event in the trash',
  'server/events/delete-event.ts': 'the files of an event in the trash stay',
  'server/events/gallery-passwords.ts': 'an event in the trash may have been archived before',
  'server/events/categories/categories.ts': 'an event in the trash still uses its category',
  'server/events/categories/event-types.ts': 'an event in the trash still has its type',
  'server/events/moved-events.ts': 'ids and slugs of events in the trash are taken',
  'server/webhooks/token-webhooks.ts': 'the owners of an event hear that it is in the trash',
  'server/photos/drop-renditions.ts': 'renditions of events in the trash are deleted',
}

test('all other reads of events leave out those in the trash', () => {
  const reading = findReaders(/(?:selectFrom|[jJ]oin)\(\s*'events\b|\b(?:from|join) events\b/)
  expect(reading).toEqual(Object.keys(readers).sort())
})

/** `trashed_photos` and its marks are separate tables, so only the trash itself and lists of files read them. */
const photoReaders = [
  'server/events/trash/list-trashed-events.ts',
  'server/feedback/guests/feedback-of-guests.ts',
  'server/feedback/marks/trashed-marks.ts',
  'server/photos/arriving-photos.ts',
  'server/photos/list-photo-files.ts',
  'server/photos/photos-of-guests.ts',
  'server/photos/trash/list-trashed-photos.ts',
  'server/photos/trash/purge-trash.ts',
  'server/photos/trash/trashed-photo-rows.ts',
  'server/picpeak/find-here.ts',
]

test('photos in the trash are read by few files', () => {
  expect(findReaders(/'trashed_(photos|feedback|account_marks)'|\bfrom trashed_/)).toEqual(photoReaders)
})
