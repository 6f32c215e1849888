import { describe, expect, test } from 'vitest'
import { assertDescribed, isHeldAgainstDescription } from '../support/described-answers.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../support/events.ts'
import { expectProblem } from '../support/problems.ts'
import { isAsset, registeredRoutes } from '../support/routes.ts'
import type { Answer } from '../support/test-client.ts'
import { serviceForFile } from '../support/test-service.ts'

const service = await serviceForFile()
const event = await createEvent(service.api)
const [photoId] = await uploadPhotos(service.api, event.id, 1)
const guest = await enterAsGuest(service, event)

const base = `/api/gallery/${event.slug}`
const list = await guest.get(`${base}/photos`)
const thumbnail = await guest.get(`${base}/thumbnail/${photoId}`)
const unknown = await guest.get(`${base}/thumbnail/999999`)
const ofCustomers = await service.anonymous.get('/api/customer/auth/session')

const withHeader = (answer: Answer, name: string, value: string | null): Answer => {
  const headers = new Headers(answer.headers)
  if (value === null) headers.delete(name)
  else headers.set(name, value)
  return { ...answer, headers }
}

test('every route below /api except the documents is checked against a description', async () => {
  const routes = (await registeredRoutes(service)).filter((route) => route.includes(' /api/') && !isAsset(route))
  const paths = routes.map((route) => route.replace(/^\w+ /, '').replace(/:\w+/g, 'any'))
  expect(paths.filter((path) => !isHeldAgainstDescription(path))).toEqual([
    '/api/admin/openapi.json',
    '/api/openapi.json',
  ])
})

describe('a response', () => {
  test('that matches its route is accepted', () => {
    expect([list.status, thumbnail.status, ofCustomers.status]).toEqual([200, 200, 200])
    expectProblem(unknown, 404, 'NOT_FOUND')
    assertDescribed('GET', `${base}/photos`, list)
    assertDescribed('GET', `${base}/thumbnail/${photoId}`, thumbnail)
    assertDescribed('GET', `${base}/thumbnail/999999`, unknown)
    assertDescribed('GET', '/api/customer/auth/session', ofCustomers)
  })

  test.each<[what: string, path: string, answer: Answer, complaint: string]>([
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
  ])('with %s throws', (_what, path, answer, complaint) => {
    expect(() => assertDescribed('GET', base + path, answer)).toThrow(complaint)
  })

  test('of the customer API with an unknown key throws', () => {
    const answer = { ...ofCustomers, body: { ...ofCustomers.body, secret: 1 } }
    expect(() => assertDescribed('GET', '/api/customer/auth/session', answer)).toThrow('additional')
  })
})
