import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { addPhotoRows } from '../../support/database/photo-rows.ts'
import { createAccount, createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { readArchiveFiles } from '../../support/media/read-archive.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api } = service

const pathOf = ({ id }: { id: number }, query = '') => `/api/v1/events/${id}/photos/download${query}`

describe('the photos chosen', () => {
  let event: TestEvent
  let ids: number[]
  beforeAll(async () => {
    event = await createEvent(api)
    ids = await uploadPhotos(api, event.id, 3)
  })
  const listDownloadedNames = async (query: string) => [
    ...readArchiveFiles((await api.get(pathOf(event, query))).bytes).keys(),
  ]

  test('are those of the ids, in list order, without duplicates', async () => {
    expect(await listDownloadedNames(`?ids=${ids[2]},${ids[0]},${ids[2]}`)).toEqual(['photo-1.jpg', 'photo-3.jpg'])
  })

  test('are all of this event; the places of other ids are named', async () => {
    const other = await createEvent(api)
    const [theirs] = await uploadPhotos(api, other.id, 1)
    const { body } = await api.get(pathOf(event, `?ids=${ids[1]},${theirs},${ids[1]},999999999`))
    expect([body.code, body.details.map(({ path }: { path: string }) => path)]).toEqual([
      'INVALID_PHOTO_IDS',
      ['ids.1', 'ids.3'],
    ])
    expect(await listDownloadedNames(`?ids=${ids[1]},${ids[1]}`)).toEqual(['photo-2.jpg'])
  })

  test('none at all returns 404 NO_PHOTOS', async () => {
    for (const headers of [{}, { range: 'bytes=0-10' }] as Array<Record<string, string>>) {
      expectProblem(await api.get(pathOf(await createEvent(api)), headers), 404, 'NO_PHOTOS')
    }
  })

  test.each(['', ',', '1,', 'a', '1,b', '0', '-1', '1.5', '1e3', '9007199254740992', '1%202'])(
    'invalid ids return 400: %j',
    async (text) => {
      expectProblem(await api.get(pathOf(event, `?ids=${text}`)), 400, 'INVALID_PHOTO_IDS')
    },
  )

  test('are at most 500 by ids', async () => {
    const manyIds = (count: number) => `?ids=${Array(count).fill(ids[0]).join()}`
    expectProblem(await api.get(pathOf(event, manyIds(501))), 400, 'INVALID_PHOTO_IDS')
    expect(await listDownloadedNames(manyIds(500))).toEqual(['photo-1.jpg'])
  })

  test('are found among many thousands', async () => {
    const largeEvent = await createEvent(api)
    const rows = Array.from({ length: 20_500 }, (_, index) => ({
      uploadedAt: 1_700_000_000_000 + (index >> 2),
      visibility: 'visible' as const,
    }))
    await addPhotoRows(service, largeEvent.id, rows)
    await uploadPhotos(api, largeEvent.id, 1)
    const { headers, bytes } = await api.get(pathOf(largeEvent))
    expect(headers.get('x-zip-photos')).toBe('1')
    expect(headers.get('x-zip-missing')).toBe('20500')
    expect(readArchiveFiles(bytes).get('MISSING_FILES.txt')?.toString().trim().split('\n').slice(2)).toHaveLength(
      20_500,
    )
  })

  test('pass the filters of the list, also in addition to ids', async () => {
    await service.admin.put(`/api/admin/photos/${event.id}/photos/${ids[1]}/mark`, { rating: 4, color_label: null })
    await service.admin.put(`/api/admin/photos/${event.id}/photos/${ids[2]}/mark`, { rating: 5, color_label: 'blue' })
    expect(await listDownloadedNames('?my_min_rating=4')).toEqual(['photo-2.jpg', 'photo-3.jpg'])
    expect(await listDownloadedNames('?my_color_labels=blue,red')).toEqual(['photo-3.jpg'])
    expect(await listDownloadedNames('?marked_only=true&mark_source=client&my_min_rating=5&logic=OR')).toEqual([
      'photo-3.jpg',
    ])
    expect(await listDownloadedNames(`?my_min_rating=4&ids=${ids[0]},${ids[1]}`)).toEqual(['photo-2.jpg'])
    expect(await listDownloadedNames('?color_labels=all&min_rating=0')).toHaveLength(3)
    expectProblem(await api.get(pathOf(event, '?min_rating=1')), 404, 'NO_PHOTOS')
    expectInvalidField(await api.get(pathOf(event, '?color_labels=pink')), 'color_labels')
  })
})

describe('who may download', () => {
  test('an account that may view and download, with scope read', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    const readClient = createClient(service.url, await createApiToken(service.admin, ['read']))
    expect((await readClient.get(pathOf(event))).status).toBe(200)
  })

  test.each(['editor', 'viewer'] as const)('not an account of the role %s', async (role) => {
    const account = await createAccount(service, role)
    expectProblem(await account.api.get(pathOf({ id: 999_999 })), 403, 'FORBIDDEN')
  })

  test('nobody without access to the event, or without a token', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    const other = await createAccount(service, 'admin')
    expectProblem(await other.api.get(pathOf(event)), 403, 'FORBIDDEN')
    expectProblem(await api.get(pathOf({ id: 999_999 })), 404, 'NOT_FOUND')
    expectProblem(await service.anonymous.get(pathOf(event)), 401, 'NO_TOKEN')
    expectProblem(await service.admin.get(pathOf(event)), 401, 'INVALID_TOKEN')
  })

  test('nobody while the event is archived', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await api.get(pathOf(event)), 409, 'EVENT_ARCHIVED')
    await api.post(`/api/v1/events/${event.id}/restore`, {})
    expect((await api.get(pathOf(event))).status).toBe(200)
  })
})
