import { expect, test } from 'vitest'
import { type Role, roles } from '../../../contract/access.ts'
import { must } from '../../../contract/must.ts'
import { type AdminFixture, createAdminFixture, createCaller } from '../../support/access/admin-fixture.ts'
import { adminRequests, type Outcome, sendAdminRequest } from '../../support/access/admin-requests.ts'
import { type AdminRow, adminTable, getExpectedOutcome, type Operator } from '../../support/access/admin-table.ts'
import { galleryTable, guestOutcomes } from '../../support/access/gallery-table.ts'
import {
  adminRoutes,
  apiTokenRoutes,
  createPath,
  customerRoutes,
  galleryRoutes,
  isAsset,
  listRegisteredRoutes,
  unauthenticatedRoutes,
} from '../../support/access/routes.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { createAccount, createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { mailServerForFile } from '../../support/network/mail-server.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

// Calls each route once with the lowest credential that is allowed, and once with the highest that is not. The whole
// tables of routes, callers and states are in the other files of this folder, and in gallery-table.full.test.ts.

const { url } = await mailServerForFile()
const service = await serviceForFile({ environment: { SMTP_URL: url, WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })

const formatOutcome = ({ status, body }: TestResponse) => (status < 300 ? `${status}` : `${status} ${body?.code}`)
const callRoute = (client: TestClient, route: string): Promise<TestResponse> => {
  const [method = '', pattern = ''] = route.split(' ')
  return client.call(method, createPath(pattern))
}
const guarded = [...apiTokenRoutes, ...adminRoutes].map(({ route }) => route).concat(galleryRoutes, customerRoutes)

test('every route is in exactly one of the tables', async () => {
  const registered = (await listRegisteredRoutes(service)).filter((route) => !isAsset(route))
  expect(registered).toEqual([...guarded, ...unauthenticatedRoutes].sort())
  const ofAdmins = guarded.filter((route) => route.includes(' /api/admin/'))
  expect(Object.keys(adminRequests).sort()).toEqual(ofAdmins.sort())
  const ofGalleries = galleryTable.map(({ route }) => route.replace(' ', ' /api/gallery/:slug'))
  expect([...new Set(ofGalleries)].sort()).toEqual(galleryRoutes.toSorted())
})

test('without a credential, each guarded route is 401', async () => {
  const { slug } = await createEvent(service.api)
  for (const route of guarded) {
    const answer = await callRoute(service.anonymous, route.replace(':slug', slug))
    expect(formatOutcome(answer), route).toBe('401 NO_TOKEN')
    expect(answer.headers.get('www-authenticate'), route).toMatch(/^Bearer/)
  }
})

test('the admin API', async () => {
  const fixtures = new Map<Role, AdminFixture>()
  for (const role of roles) fixtures.set(role, await createAdminFixture(service, role))
  const byPower = roles.toReversed().flatMap((role): Operator[] => [
    { role, relation: 'stranger' },
    { role, relation: 'creator' },
  ])
  const expectOutcome = async (row: AdminRow, { role, relation }: Operator, expected: Outcome) => {
    const fixture = fixtures.get(role) as AdminFixture
    const account = fixture.accounts[relation]
    const own = { token: account.admin.token, values: fixture.values }
    const { token, values } = expected === 'ok' ? await createCaller(service, fixture, relation, row) : own
    const { outcome } = await sendAdminRequest(service.anonymous, row, values, { authorization: `Bearer ${token}` })
    expect(outcome, `${row.route} by ${role} ${relation}`).toBe(expected)
  }
  for (const row of adminTable) {
    const outcomes = byPower.map((operator) => ({ operator, expected: getExpectedOutcome(row, operator) }))
    const least = must(
      outcomes.find(({ expected }) => expected === 'ok'),
      `a role for ${row.route}`,
    )
    const most = outcomes.findLast(({ expected }) => expected !== 'ok')
    await expectOutcome(row, least.operator, 'ok')
    // Outside the trash, these routes find nothing for any caller.
    if (most && row.consumes !== 'trashed event') await expectOutcome(row, most.operator, most.expected)
  }
})

test('the public API', async () => {
  const scopes = ['read', 'write', 'admin'] as const
  const tokens = await Promise.all(scopes.map((scope) => createApiToken(service.admin, [scope])))
  const clients = tokens.map((token) => createClient(service.url, token))
  const { api: byViewer } = await createAccount(service, 'viewer')
  for (const { route, scope, permission, emptyCall = '404 NOT_FOUND' } of apiTokenRoutes) {
    const [least, below] = [clients[scopes.indexOf(scope)], clients[scopes.indexOf(scope) - 1]]
    expect(least && formatOutcome(await callRoute(least, route)), route).toBe(emptyCall)
    if (below) expect(formatOutcome(await callRoute(below, route)), route).toBe('403 INSUFFICIENT_SCOPE')
    const isOfViewers = [permission ?? []].flat().every((one) => /^(events|photos|notes)\.view$/.test(one))
    if (!isOfViewers) expect(formatOutcome(await callRoute(byViewer, route)), route).toBe('403 FORBIDDEN')
  }
})

test('a gallery', async () => {
  const [category] = (await service.admin.get('/api/admin/categories/global')).body
  const uploads = { allow_user_uploads: true, upload_category_id: category.id }
  const event = await createEvent(service.api, {
    allow_notes: true,
    allow_annotations: true,
    keep_versions: true,
    ...uploads,
  })
  const [photoId = 0] = await uploadPhotos(service.api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  const stranger = (await createAccount(service, 'admin')).admin
  for (const { route, accessKind, send } of galleryTable) {
    const answer = await send(guest, { slug: event.slug, photoId })
    // A guest without picks who may submit a selection counts as allowed.
    const isAllowed = answer.status < 300 || answer.body?.code === 'NOTHING_SELECTED'
    expect(isAllowed ? 'ok' : formatOutcome(answer), route).toBe(guestOutcomes.live[accessKind])
    expect(formatOutcome(await send(stranger, { slug: event.slug, photoId })), route).toBe('403 FORBIDDEN')
  }
})
