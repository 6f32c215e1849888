import { beforeAll, describe, expect, test } from 'vitest'
import { type AdminFixture, createAdminFixture, createCaller } from '../../support/access/admin-fixture.ts'
import { type Outcome, type RequestValues, sendAdminRequest } from '../../support/access/admin-requests.ts'
import {
  type AdminRow,
  adminTable,
  getExpectedOutcome,
  type Relation,
  relations,
  withMissingId,
} from '../../support/access/admin-table.ts'
import { adminRoutes, apiTokenRoutes, createPath } from '../../support/access/routes.ts'
import { type Description, getOperation } from '../../support/clients/openapi.ts'
import { createTableDigests } from '../../support/database/service-database.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

/** The routes that both APIs have, called with API tokens. `permissions.full.test.ts` tests scopes and permissions. */

const service = await serviceForFile({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })
const digestNow = createTableDigests(service)
let fixture: AdminFixture
let other: AdminFixture
let description: Description

beforeAll(async () => {
  fixture = await createAdminFixture(service, 'admin')
  other = await createAdminFixture(service, 'editor')
  description = (await service.anonymous.get('/api/openapi.json')).body
})

/** A token finds only its own webhooks: see `token-webhooks.test.ts`. */
const twins = apiTokenRoutes.flatMap(({ route, twin }) =>
  twin && !/\/webhooks\/:/.test(route) ? [{ route, twin }] : [],
)

/** Returns the request of the twin, at the path of the public API. */
function toRow({ route, twin }: { route: string; twin: string }): AdminRow {
  const row = adminTable.find((one) => one.route === twin)
  if (!row) throw new Error(`There is no ${twin}`)
  const inPath = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof RequestValues)
  return { ...row, route, ids: inPath.filter((name) => name !== 'index' && name !== 'number') }
}

async function callAs(relation: Relation, row: AdminRow, values: RequestValues): Promise<string> {
  const { outcome } = await sendAdminRequest(fixture.accounts[relation].api, row, values, {})
  return outcome
}

type Rejection = [relation: Relation, values: RequestValues, expected: Outcome]

/** Also expects that nothing changes. */
async function expectRejections(row: AdminRow, calls: Rejection[]) {
  const seen = async () => ({ ...digestNow(), files: (await listStoredFiles(service)).sort() })
  const before = await seen()
  for (const [relation, values, expected] of calls) {
    expect(await callAs(relation, row, values), `${relation} ${JSON.stringify(values)}`).toBe(expected)
  }
  expect(await seen()).toEqual(before)
}

describe.each(twins.map((one) => ({ ...one, row: toRow(one) })))('$route', ({ route, row }) => {
  test('is open to the tokens of those who may use the event, and to no others', async () => {
    const { permission } = apiTokenRoutes.find((one) => one.route === route) ?? {}
    expect([permission].flat()).toEqual(row.permission)
    const rejections: Rejection[] = []
    for (const relation of relations) {
      const expected = getExpectedOutcome(row, { role: 'admin', relation })
      if (expected === 'ok') {
        const { values } = await createCaller(service, fixture, relation, row)
        expect(await callAs(relation, row, values), relation).toBe('ok')
      } else rejections.push([relation, fixture.values, expected])
    }
    await expectRejections(row, rejections)
  })

  test('returns 404 for an unknown id and for an id of another event; an archived event is not changed', async () => {
    const calls = row.ids.map((id): Rejection => ['creator', withMissingId(fixture.values, id), '404 NOT_FOUND'])
    const inEvent = row.ids.includes('event_id') ? row.ids : []
    for (const id of inEvent) {
      const values = { ...fixture.values, [id]: other.values[id] }
      if (id !== 'event_id' && id !== 'customer_id') calls.push(['creator', values, '404 NOT_FOUND'])
    }
    for (const [id, expected] of Object.entries(row.checkedIds ?? {})) {
      const values = { ...fixture.values, [id]: other.values[id as keyof RequestValues] }
      if (row.subject !== 'upload') calls.push(['creator', values, expected])
    }
    await expectRejections(row, calls)

    const { responses } = getOperation(description, route.replace(/:(\w+)/g, '{$1}'))
    const codes = Object.keys(responses[409]?.content?.['application/json']?.examples ?? {})
    if (!codes.includes('EVENT_ARCHIVED')) return
    const { values } = await createCaller(service, fixture, 'creator', row)
    await service.admin.post(`/api/admin/events/${values.event_id}/archive`, {})
    try {
      await expectRejections(row, [['creator', values, '409 EVENT_ARCHIVED']])
    } finally {
      await service.admin.post(`/api/admin/events/${values.event_id}/restore`, {})
    }
  })
})

test('tokens never reach users, roles, tokens, settings, gallery passwords, mail or backups', async () => {
  const withTwin = new Set(apiTokenRoutes.flatMap(({ twin }) => twin ?? []))
  const publicRoutes = new Set(apiTokenRoutes.map(({ route }) => route))
  const { api } = fixture.accounts.creator
  for (const { route } of adminRoutes.filter((row) => !withTwin.has(row.route))) {
    const [method = '', pattern = ''] = route.split(' ')
    const answer = await api.call(method, createPath(pattern))
    expect([answer.status, answer.body?.code], route).toEqual([401, 'INVALID_TOKEN'])
    const publicRoute = route.replace('/api/admin/', '/api/v1/')
    if (publicRoutes.has(publicRoute)) continue
    const { status } = await api.call(method, createPath(publicRoute.replace(/^\w+ /, '')))
    expect([404, 405], publicRoute).toContain(status)
  }
  const forbidden = /users|roles|tokens|settings|password|mail|backup|branding|members|trash|auth|invite|health/
  expect([...publicRoutes].filter((route) => forbidden.test(route))).toEqual([])
})
