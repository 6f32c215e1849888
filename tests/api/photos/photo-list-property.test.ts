import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkPhotoLists, createListReaders } from '../../support/lists/photo-list-checks.ts'
import { modelList } from '../../support/lists/photo-list-model.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const readers = await createListReaders(service)

/** The seeds differ in every run. A failure shows its seed, which reproduces its photos, marks and queries. */
const seeds = Array.from({ length: 3 }, () => randomInt(2 ** 31))

test.each(seeds)('the list returns the same as plain loops for any query and marks (seed %i)', async (seed) => {
  await checkPhotoLists(service, readers, seed, 150)
})

test('the plain loops follow the merge rules and ties of the contract', () => {
  const guest = (rating: number | null, color: 'red' | 'green' | null) => ({
    rating,
    color,
    isLiked: false,
    isFavorite: false,
  })
  const photo = {
    id: 1,
    uploadedAt: 1,
    visibility: 'visible' as const,
    guests: new Map([
      [0, guest(4, 'red')],
      [1, guest(5, 'green')],
      [2, guest(4, null)],
    ]),
    accounts: new Map([[0, { rating: 2, color: 'blue' as const }]]),
  }
  const listModelPhoto = (account: number, mark_source: string) =>
    modelList([photo], account, { mark_source }).photos[0]
  expect(listModelPhoto(0, 'either')).toMatchObject({
    rating: 4,
    color_label: 'blue',
    average_rating: 4.33,
    my_rating: 2,
  })
  expect(listModelPhoto(0, 'mine')).toMatchObject({ rating: 2, color_label: 'blue' })
  expect(listModelPhoto(0, 'client')).toMatchObject({
    rating: 4,
    color_label: 'green',
    color_labels: { red: 1, green: 1 },
  })
  expect(listModelPhoto(1, 'either')).toMatchObject({
    rating: 4,
    color_label: 'green',
    my_rating: null,
    my_color_label: null,
  })
})
