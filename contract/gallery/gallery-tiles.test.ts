import { expect, test } from 'vitest'
import { pictureSrcset, type TilePhoto } from './gallery-tiles.ts'

const gallery = { slug: 'ana-ben', viewer: { kind: 'guest' as const } }
const listCandidates = (photo: Omit<TilePhoto, 'id'>, maxWidth = 2560) =>
  pictureSrcset(gallery, { id: 7, ...photo }, maxWidth)
    .split(', ')
    .map((candidate) => candidate.replace('/api/gallery/ana-ben/', ''))

test.each([
  [{ width: 300, height: 200 }, ['thumbnail/7 300w']],
  [{ width: 300, height: 400 }, ['thumbnail/7 300w']],
  [{ width: 480, height: 320 }, ['thumbnail/7 480w']],
  [{ width: 481, height: 320 }, ['thumbnail/7 480w', 'photo/7?w=640 481w']],
  [{ width: 480, height: 960 }, ['thumbnail/7 240w', 'photo/7?w=640 480w']],
  [{ width: 640, height: 480 }, ['thumbnail/7 480w', 'photo/7?w=640 640w']],
  [{ width: 700, height: 700 }, ['thumbnail/7 480w', 'photo/7?w=640 640w', 'photo/7?w=1280 700w']],
  [{ width: null, height: null }, ['thumbnail/7 480w', 'photo/7?w=640 640w']],
])('the pictures of a photo of %j have different widths', (photo, candidates) => {
  expect(listCandidates(photo)).toEqual(candidates)
})

test('each width of a photo occurs once, in ascending order', () => {
  for (const maxWidth of [640, 1280, 2560]) {
    for (let width = 1; width < 3000; width += 31) {
      for (const height of [1, 240, 479, 480, 481, 640, 5000]) {
        const widths = listCandidates({ width, height }, maxWidth).map((one) => Number(/ (\d+)w$/.exec(one)?.[1]))
        expect(widths).toEqual([...new Set(widths)].sort((one, other) => one - other))
      }
    }
  }
})
