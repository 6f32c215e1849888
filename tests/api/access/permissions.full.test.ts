import { beforeAll, describe, expect, test } from 'vitest'
import { type Permission, permissions, type Role } from '../../../contract/access.ts'
import { apiTokenRoutes, createPath } from '../../support/access/routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { type Account, createAccount, createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()

function callRoute(client: TestClient, route: string) {
  const [method = '', pattern = ''] = route.split(' ')
  return client.call(method, createPath(pattern))
}

const formatOutcome = ({ status, body }: TestResponse) => (status < 300 ? `${status}` : `${status} ${body.code}`)

describe('admin implies write implies read', () => {
  const scopes = ['read', 'write', 'admin'] as const
  const cases = apiTokenRoutes.flatMap((row) => scopes.map((granted) => ({ ...row, granted })))

  test.each(cases)('a token of scope $granted on $route, which requires $scope', async (row) => {
    const { route, scope, granted, emptyCall = '404 NOT_FOUND' } = row
    const client = createClient(service.url, await createApiToken(service.admin, [granted]))
    const answer = await callRoute(client, route)
    if (scopes.indexOf(granted) >= scopes.indexOf(scope)) {
      expect(formatOutcome(answer)).toBe(emptyCall)
    } else {
      expectProblem(answer, 403, 'INSUFFICIENT_SCOPE')
      expect(answer.body).toMatchObject({ required: scope, granted })
    }
  })

  test('a token with several scopes has the widest', async () => {
    const client = createClient(service.url, await createApiToken(service.admin, ['read', 'write']))
    expect((await client.post('/api/v1/events', {})).status).toBe(400)
  })
})

const missingPermissions: Record<Role, Permission[]> = {
  super_admin: [],
  admin: [],
  editor: ['photos.delete', 'events.delete', 'photos.download', 'settings.view', 'settings.edit'],
  viewer: permissions.filter((permission) => !['events.view', 'photos.view', 'notes.view'].includes(permission)),
}
const roles = Object.keys(missingPermissions) as Role[]

describe.each(roles)('an account of the role %s', (role) => {
  let account: Account
  beforeAll(async () => {
    account = await createAccount(service, role)
  })

  test.each(apiTokenRoutes)(
    'on $route, which requires $permission',
    async ({ route, permission, emptyCall = '404 NOT_FOUND' }) => {
      const answer = await callRoute(account.api, route)
      const isMissing = [permission].flat().some((one) => missingPermissions[role].includes(one as Permission))
      if (isMissing) expectProblem(answer, 403, 'FORBIDDEN')
      else expect(formatOutcome(answer)).toBe(emptyCall)
    },
  )
})

describe('an event of another owner', () => {
  let event: TestEvent
  let photoId: number
  let stranger: Account
  beforeAll(async () => {
    const owner = await createAccount(service, 'admin')
    stranger = await createAccount(service, 'admin')
    event = await createEvent(owner.api)
    photoId = (await uploadPhotos(owner.api, event.id, 1))[0] as number
  })

  test('is FORBIDDEN on every public route with its id', async () => {
    const { api } = stranger
    expectProblem(await api.get(`/api/v1/events/${event.id}`), 403, 'FORBIDDEN')
    expectProblem(await api.get(`/api/v1/events/${event.id}/photos`), 403, 'FORBIDDEN')
    expectProblem(await api.upload(event.id, await jpeg()), 403, 'FORBIDDEN')
  })

  test('cannot be previewed through the gallery either', async () => {
    expectProblem(await stranger.admin.get(`/api/gallery/${event.slug}/photos`), 403, 'FORBIDDEN')
    expectProblem(await stranger.admin.get(`/api/gallery/${event.slug}/download/${photoId}`), 403, 'FORBIDDEN')
  })

  test('is not in the list of another account', async () => {
    const { body } = await stranger.api.get('/api/v1/events')
    expect(body).toMatchObject({ events: [], pagination: { total: 0 } })
  })

  test('is open to a super_admin', async () => {
    expect((await service.api.get(`/api/v1/events/${event.id}`)).status).toBe(200)
    const { body } = await service.api.get('/api/v1/events')
    expect(body.events.map(({ id }: { id: number }) => id)).toContain(event.id)
  })
})
