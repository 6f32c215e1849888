import { expect, test } from 'vitest'
import type { SourceEvent } from './read-event.ts'
import { readPhoto } from './read-photos.ts'

const event = { folder: 'old-reunion', externalFolder: 'reunion', columns: { created_at: 0 } } as SourceEvent

test('a photo may be in subfolders of the ZIP of its event, and of the folder of external media', () => {
  const read = (row: Record<string, string | number>) =>
    readPhoto({ id: 1, filename: 'a.jpg', ...row }, event, () => undefined)
  expect(read({ path: 'old-reunion/individual/a.jpg' })).toMatchObject({
    zipNames: ['a.jpg', 'individual/a.jpg'],
    externalPaths: [],
  })
  expect(read({ external_relpath: 'b/a.jpg', source_origin: 'external' })).toMatchObject({
    externalPaths: ['b/a.jpg', 'reunion/b/a.jpg'],
  })
  expect(read({ external_relpath: 'b/a.jpg', source_origin: 'managed' })?.externalPaths).toEqual([])
})
