import { expect, test } from 'vitest'
import { type MatchablePhoto, matchShots, type ShotFacts } from './match-shots.ts'
import { toNameKey } from './shots.ts'

const time = (seconds: number): string => new Date(Date.UTC(2026, 5, 20, 12, 0, seconds)).toISOString()

const photo = (id: number, name: string, facts: Partial<MatchablePhoto> = {}): MatchablePhoto => ({
  id,
  source_filename: name,
  original_filename: name,
  size_bytes: 1000 + id,
  content_hash: `hash ${id}`,
  captured_at: null,
  uploaded_by: 'admin',
  marks: null,
  ...facts,
})

type Files = { hash?: string; sizeBytes?: number; at?: number; identity?: number }

function shot(path: string, { hash, sizeBytes = 1, at, identity }: Files = {}): ShotFacts {
  return {
    path,
    nameKey: toNameKey(path),
    identities: identity === undefined ? [] : [identity],
    files: [{ sizeBytes, hash: async () => hash ?? null }],
    captureTimes: async () => (at === undefined ? [] : [Date.parse(time(at))]),
  }
}

async function match(photos: MatchablePhoto[], shots: ShotFacts[]) {
  const { matched, ambiguous } = await matchShots(photos, shots)
  return [
    ...matched.map(({ shot: { path }, photoId, by }) => `${path} is ${photoId} by ${by}`),
    ...ambiguous.map(({ shots: several, photoIds }) => `${several.map(({ path }) => path)} may be ${photoIds}`),
  ]
}

test('an identity from an earlier sync wins over everything else', async () => {
  const photos = [photo(1, 'a.jpg'), photo(2, 'b.jpg')]
  expect(await match(photos, [shot('b.cr3', { identity: 1, hash: 'hash 2', sizeBytes: 1002 })])).toEqual([
    'b.cr3 is 1 by identity',
  ])
  expect(await match(photos, [shot('b.cr3', { identity: 9 })])).toEqual(['b.cr3 is 2 by name'])
})

test('renamed and copied files are found by their content', async () => {
  const content = { hash: 'hash 1', sizeBytes: 1001 }
  expect(await match([photo(1, 'a.jpg')], [shot('x/renamed.jpg', content), shot('y/copy.jpg', content)])).toEqual([
    'x/renamed.jpg is 1 by content',
    'y/copy.jpg is 1 by content',
  ])
})

test('of two photos with one content, the name decides', async () => {
  const same = { size_bytes: 5, content_hash: 'same' }
  const photos = [photo(1, 'a.jpg', same), photo(2, 'b.jpg', same)]
  const content = { hash: 'same', sizeBytes: 5 }
  expect(await match(photos, [shot('b.jpg', content)])).toEqual(['b.jpg is 2 by content'])
  expect(await match(photos, [shot('c.jpg', content)])).toEqual(['c.jpg may be 1,2'])
})

test('two cameras with equal names are distinguished by the time', async () => {
  const photos = [photo(1, 'IMG_1.JPG', { captured_at: time(1) }), photo(2, 'IMG_1 .jpg', { captured_at: time(2) })]
  const named = [photos[0] as MatchablePhoto, { ...(photos[1] as MatchablePhoto), source_filename: 'img_1.jpg' }]
  expect(await match(named, [shot('A/IMG_1.CR3', { at: 2 }), shot('B/IMG_1.CR3', { at: 1 })])).toEqual([
    'A/IMG_1.CR3 is 2 by nameAndTime',
    'B/IMG_1.CR3 is 1 by nameAndTime',
  ])
  expect(await match(named, [shot('A/IMG_1.CR3'), shot('B/IMG_1.CR3')])).toEqual(['A/IMG_1.CR3,B/IMG_1.CR3 may be 1,2'])
  expect(await match(named, [shot('A/IMG_1.CR3', { at: 1 }), shot('B/IMG_1.CR3', { at: 1 })])).toEqual([
    'A/IMG_1.CR3,B/IMG_1.CR3 may be 1',
  ])
})

test('uploads of guests get only the shots that belong to no other photo', async () => {
  const ofGuest = { uploaded_by: 'guest' }
  const same = { size_bytes: 5, content_hash: 'same' }
  const original = { hash: 'same', sizeBytes: 5 }
  const copied = [photo(1, 'a.jpg', same), photo(2, 'a.jpg', { ...same, ...ofGuest })]
  expect(await match(copied, [shot('a.jpg', original)])).toEqual(['a.jpg is 1 by content'])
  expect(await match(copied, [shot('a.nef')])).toEqual(['a.nef is 1 by name'])
  // The first photo has been replaced by its retouched file.
  const replaced = [photo(1, 'a.jpg'), photo(2, 'a.jpg', { ...same, ...ofGuest })]
  expect(await match(replaced, [shot('a.jpg', original)])).toEqual(['a.jpg is 1 by name'])
  const pair = [photo(1, 'a.nef', { captured_at: time(1) }), photo(2, 'a.jpg', { captured_at: time(1) })]
  const copyOfPair = photo(3, 'a.jpg', { captured_at: time(1), marks: '5', ...ofGuest })
  expect(await match([...pair, copyOfPair], [shot('a.nef', { at: 1 })])).toEqual(['a.nef is 2 by nameAndTime'])
  const own = photo(1, 'a.jpg', { captured_at: time(1) })
  const ofTheirCamera = photo(2, 'a.jpg', { captured_at: time(2), ...ofGuest })
  expect(await match([own, ofTheirCamera], [shot('a.nef', { at: 1 }), shot('guests/a.jpg', { at: 2 })])).toEqual([
    'a.nef is 1 by nameAndTime',
    'guests/a.jpg is 2 by nameAndTime',
  ])
})

test('another time is another photo, and without a time the name must be the only one', async () => {
  const photos = [photo(1, 'a.jpg', { captured_at: time(1) })]
  expect(await match(photos, [shot('a.nef', { at: 9 })])).toEqual([])
  expect(await match(photos, [shot('a.nef')])).toEqual(['a.nef is 1 by name'])
  expect(await match(photos, [shot('x/a.nef'), shot('y/a.nef')])).toEqual(['x/a.nef,y/a.nef may be 1'])
})

test.each([
  ['Zoe\u0308.CR3', 'Zo\u00eb.jpg'],
  ['IMG_1.cr3', 'img_1.JPG'],
  ['Day 1\\IMG_2.ARW', 'IMG_2.jpg'],
])('%j has the name of %j', (path, name) => {
  expect(toNameKey(path)).toBe(toNameKey(name))
})

test('a raw file and a picture of one shot are one pair, and the marked one counts', async () => {
  const pair = (raw: string | null, picture: string | null) => [
    photo(1, 'A.JPG', { captured_at: time(1), marks: picture }),
    photo(2, 'a.nef', { captured_at: time(1), marks: raw }),
  ]
  const files = [
    { sizeBytes: 1001, hash: async () => 'hash 1' },
    { sizeBytes: 1002, hash: async () => 'hash 2' },
  ]
  const both = { ...shot('a.nef', { at: 1 }), files }
  const changed = shot('a.nef', { at: 1 })
  expect(await match(pair(null, '5'), [both])).toEqual(['a.nef is 1 by content'])
  expect(await match(pair('5', null), [both])).toEqual(['a.nef is 2 by content'])
  expect(await match(pair('5', '5'), [both])).toEqual(['a.nef is 1 by content'])
  expect(await match(pair(null, '5'), [changed])).toEqual(['a.nef is 1 by nameAndTime'])
  expect(await match(pair('3', '5'), [both])).toEqual(['a.nef may be 1,2'])
  const otherTime = [photo(1, 'A.JPG', { captured_at: time(1) }), photo(2, 'a.nef', { captured_at: time(2) })]
  expect(await match(otherTime, [both])).toEqual(['a.nef may be 1,2'])
  const withVideo = pair('5', null).map((one) => (one.id === 1 ? { ...one, source_filename: 'A.MOV' } : one))
  expect(await match(withVideo, [both])).toEqual(['a.nef may be 1,2'])
  const withoutTimes = pair('5', null).map((one) => ({ ...one, captured_at: null }))
  expect(await match(withoutTimes, [both])).toEqual(['a.nef may be 1,2'])
})
