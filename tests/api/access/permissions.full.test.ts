import { expect, test } from 'vitest'
import { type Permission, permissions, type Role } from '../../../contract/access.ts'
import { apiTokenRoutes, createPath } from '../../support/access/routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { createAccount, createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()

function callRoute(client: TestClient, route: string) {
  const [method = '', pattern = ''] = route.split(' ')
  return client.call(method, createPath(pattern))
}

const scopes = ['read', 'write', 'admin'] as const
test.each(scopes)('a token of scope %s opens the routes that require it or less', async (granted) => {
  const client = createClient(service.url, await createApiToken(service.admin, [granted]))
  for (const { route, scope, emptyCall = '404 NOT_FOUND' } of apiTokenRoutes) {
    const { status, body } = await callRoute(client, route)
    if (scopes.indexOf(granted) >= scopes.indexOf(scope)) {
      expect(status < 300 ? `${status}` : `${status} ${body.code}`, route).toBe(emptyCall)
    } else {
      const problem = { code: 'INSUFFICIENT_SCOPE', required: scope, granted }
      expect({ status, ...body }, route).toMatchObject({ status: 403, ...problem })
    }
  }
})

const missingPermissions: Record<Role, Permission[]> = {
  super_admin: [],
  admin: [],
  editor: ['photos.delete', 'events.delete', 'photos.download', 'settings.view', 'settings.edit'],
  viewer: permissions.filter((permission) => !['events.view', 'photos.view', 'notes.view'].includes(permission)),
}

test.each(Object.entries(missingPermissions))('a token of the role %s has its permissions', async (role, missing) => {
  const { api } = await createAccount(service, role as Role)
  for (const { route, permission, emptyCall = '404 NOT_FOUND' } of apiTokenRoutes) {
    const { status, body } = await callRoute(api, route)
    const isMissing = [permission].flat().some((one) => missing.includes(one as Permission))
    const expected = isMissing ? '403 FORBIDDEN' : emptyCall
    expect(status < 300 ? `${status}` : `${status} ${body.code}`, route).toBe(expected)
  }
})

test('an event of another owner is FORBIDDEN and not listed, except for a super_admin', async () => {
  const [owner, stranger] = [await createAccount(service, 'admin'), await createAccount(service, 'admin')]
  const event = await createEvent(owner.api)
  const [photo_id = 0] = await uploadPhotos(owner.api, event.id, 1)
  const reads = apiTokenRoutes.filter(({ route, twin }) => /^GET .*:event_id/.test(route) && !twin)
  expect(reads.length).toBeGreaterThan(5)
  for (const { route } of reads) {
    const path = route.replace('GET ', '').replace(':event_id', `${event.id}`).replace(':photo_id', `${photo_id}`)
    expectProblem(await stranger.api.get(path), 403, 'FORBIDDEN')
  }
  expectProblem(await stranger.api.upload(event.id, await jpeg()), 403, 'FORBIDDEN')
  const { body } = await stranger.api.get('/api/v1/events')
  expect(body).toMatchObject({ events: [], pagination: { total: 0 } })
  expect((await service.api.get(`/api/v1/events/${event.id}`)).status).toBe(200)
  const all = (await service.api.get('/api/v1/events')).body.events
  expect(all.map(({ id }: { id: number }) => id)).toContain(event.id)
})
