import { describe, expect, test } from 'vitest'
import { isAsset, listRegisteredRoutes } from '../../support/access/routes.ts'
import { assertMatchesDescription, hasDescription } from '../../support/clients/described-responses.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestResponse } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const event = await createEvent(service.api)
const [photoId] = await uploadPhotos(service.api, event.id, 1)
const guest = await enterAsGuest(service, event)

const base = `/api/gallery/${event.slug}`
const list = await guest.get(`${base}/photos`)
const thumbnail = await guest.get(`${base}/thumbnail/${photoId}`)
const unknown = await guest.get(`${base}/thumbnail/999999`)
const customerAnswer = await service.anonymous.get('/api/customer/auth/session')

const withHeader = (answer: TestResponse, name: string, value: string | null): TestResponse => {
  const headers = new Headers(answer.headers)
  if (value === null) headers.delete(name)
  else headers.set(name, value)
  return { ...answer, headers }
}

test('every route below /api except the documents is checked against a description', async () => {
  const routes = (await listRegisteredRoutes(service)).filter((route) => route.includes(' /api/') && !isAsset(route))
  const paths = routes.map((route) => route.replace(/^\w+ /, '').replace(/:\w+/g, 'any'))
  const documents = ['admin/openapi', 'gallery/openapi', 'gallery/postman', 'openapi', 'postman']
  const undescribed = paths.filter((path) => !hasDescription(path)).sort()
  expect(undescribed).toEqual(documents.map((name) => `/api/${name}.json`))
})

describe('a response', () => {
  test('that matches its route is accepted', () => {
    expect([list.status, thumbnail.status, customerAnswer.status]).toEqual([200, 200, 200])
    expectProblem(unknown, 404, 'NOT_FOUND')
    assertMatchesDescription('GET', `${base}/photos`, list)
    assertMatchesDescription('GET', `${base}/thumbnail/${photoId}`, thumbnail)
    assertMatchesDescription('GET', `${base}/thumbnail/999999`, unknown)
    assertMatchesDescription('GET', '/api/customer/auth/session', customerAnswer)
  })

  test.each<[what: string, path: string, answer: TestResponse, expectedMessage: string]>([
    ['an unknown key', '/photos', { ...list, body: { ...list.body, secret: 1 } }, 'additional'],
    ['a missing key', '/photos', { ...list, body: { ...list.body, photos: undefined } }, 'required'],
    [
      'a key of a photo that is unknown',
      '/photos',
      { ...list, body: { ...list.body, photos: [{ ...list.body.photos[0], path: 'x' }] } },
      'additional',
    ],
    ['another status', '/photos', { ...list, status: 201 }, 'the status'],
    ['another type', '/thumbnail/1', withHeader(thumbnail, 'content-type', 'text/html'), 'text/html'],
    ['a missing header', '/thumbnail/1', withHeader(thumbnail, 'etag', null), 'ETag'],
    [
      'a code that its route does not declare',
      '/thumbnail/1',
      { ...unknown, body: { ...unknown.body, code: 'NO_PHOTOS' } },
      'NO_PHOTOS',
    ],
    ['no route', '/nothing', list, 'the call'],
  ])('with %s throws', (_what, path, answer, expectedMessage) => {
    expect(() => assertMatchesDescription('GET', base + path, answer)).toThrow(expectedMessage)
  })

  test('of the customer API with an unknown key throws', () => {
    const answer = { ...customerAnswer, body: { ...customerAnswer.body, secret: 1 } }
    expect(() => assertMatchesDescription('GET', '/api/customer/auth/session', answer)).toThrow('additional')
  })
})
