import { expect, test } from 'vitest'
import { findRetryObstacle } from './mail-retry.ts'

const now = Date.parse('2027-06-20T12:00:00Z')
const mail = { status: 'failed', text: 'Dear Ana', created_at: '2027-06-20T11:00:00Z' } as const

test('a mail can be sent again if it failed or was kept; needs no retry if it was sent or is queued', () => {
  expect(findRetryObstacle(mail, true, now)).toBeNull()
  expect(findRetryObstacle({ ...mail, status: 'kept' }, true, now)).toBeNull()
  expect(findRetryObstacle({ ...mail, status: 'sent' }, true, now)).toBe('notStuck')
  expect(findRetryObstacle({ ...mail, status: 'queued' }, true, now)).toBe('notStuck')
})

test('a mail cannot be sent without a mail server, after 7 days, or without its password', () => {
  expect(findRetryObstacle(mail, false, now)).toBe('notSetUp')
  expect(findRetryObstacle({ ...mail, created_at: '2027-06-13T11:59:00Z' }, true, now)).toBe('tooOld')
  expect(findRetryObstacle({ ...mail, text: 'Password: ••••••' }, true, now)).toBe('erased')
})
