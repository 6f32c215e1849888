import { expect, test } from 'vitest'
import { readText, sourceFiles } from './source-files.ts'

/** Each file with statements that write the feedback of guests, how many there are, and what lets them through. */
const writersOfFeedback = {
  'server/feedback/change-feedback.ts': [2, '`guard`'],
  'server/feedback/give-feedback.ts': [3, '`guard`'],
  'server/feedback/guests/feedback-of-guests.ts': [
    1,
    'a merge has passed `guard`; a guest is erased in any state (1 here, the tables of a merge are a variable)',
  ],
  'server/feedback/moved-feedback.ts': [1, 'the import of another installation, into an event that nobody sees yet'],
  'server/feedback/marks/trashed-marks.ts': [1, 'a photo comes back from the trash with the marks that it had'],
} as const

test('what writes the feedback of guests passes a guard, or is exempt', () => {
  const counts = sourceFiles('server')
    .filter((file) => !file.startsWith('server/migrations/'))
    .map((file) => [file, readText(file).match(/(insertInto|updateTable|deleteFrom)\('feedback'\)/g)?.length ?? 0])
    .filter(([, count]) => count !== 0)
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries(Object.entries(writersOfFeedback).map(([file, [count]]) => [file, count])),
  )
})
test('what gives, changes or merges feedback gets the guard of the event', () => {
  const callers = sourceFiles('server').filter((file) =>
    /\b(giveFeedback|changeFeedback|mergeGuests)\(ctx/.test(readText(file)),
  )
  expect(callers.filter((file) => !/createMarkGuard\(/.test(readText(file)))).toEqual([])
  expect(callers.length).toBe(3)
})
