import { expect, test } from 'vitest'
import type { PackagePreset } from '../../../../contract/gallery/rounds.ts'
import {
  createPackageDraft,
  emptyPackageDraft,
  findOnlyPreset,
  isPackageComplete,
  proposePresets,
  readPackageDraft,
} from './package-draft.ts'

const album = {
  purpose: 'Album',
  included: 20,
  minimum: 0,
  maximum: null,
  extra_text: '12 €',
  locks_on_submission: true,
}

test('a form without a minimum and a maximum means 0 and no limit, and is complete with a purpose and a number', () => {
  const draft = createPackageDraft(album)
  expect(draft).toMatchObject({ included: '20', minimum: '', maximum: '' })
  expect(readPackageDraft(draft)).toEqual(album)
  const limited = { ...album, minimum: 5, maximum: 30, locks_on_submission: false }
  expect(readPackageDraft(createPackageDraft(limited))).toEqual(limited)
  expect(readPackageDraft({ ...draft, purpose: ' Album ' }).purpose).toBe('Album')
  expect([emptyPackageDraft, { ...draft, included: ' ' }, draft].map(isPackageComplete)).toEqual([false, false, true])
})

test('the presets of the event type come first, then those of no type', () => {
  const preset = (name: string, event_type?: string | null): PackagePreset => ({
    ...album,
    name,
    ...(event_type !== undefined && { event_type }),
  })
  const presets = [preset('Portrait 5', 'portrait'), preset('Any', null), preset('Album 40', 'wedding'), preset('Old')]
  const names = proposePresets(presets, 'wedding').map(({ name }) => name)
  expect(names).toEqual(['Album 40', 'Any', 'Old', 'Portrait 5'])
  expect(findOnlyPreset(presets, 'wedding')?.name).toBe('Album 40')
  expect(findOnlyPreset([...presets, preset('Album 60', 'wedding')], 'wedding')).toBe(null)
  expect(findOnlyPreset(presets, 'family')).toBe(null)
})
