import { expect, test } from 'vitest'
import { findClosestName } from './closest-name.ts'

test.each([
  ['is_darft', 'is_draft'],
  ['isDraft', 'is_draft'],
  ['is_draf', 'is_draft'],
  ['is_drafts', 'is_draft'],
  ['event_nmae', 'event_name'],
  ['even_nam', 'event_name'],
  ['draft', null],
  ['colour', null],
  ['', null],
  ['x'.repeat(100_000), null],
])('the known name closest to %s is %s', (name, closest) => {
  expect(findClosestName(name, ['event_name', 'event_names2', 'is_draft', 'photo_cap'])).toBe(closest)
})
