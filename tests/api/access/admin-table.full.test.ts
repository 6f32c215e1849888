import { beforeAll, describe, expect, test } from 'vitest'
import { type Role, roles } from '../../../contract/access.ts'
import { expireEvents } from '../../../server/events/expire-events.ts'
import { type AdminFixture, createAdminFixture, createCaller } from '../../support/access/admin-fixture.ts'
import { type Outcome, type RequestValues, sendAdminRequest } from '../../support/access/admin-requests.ts'
import {
  type AdminRow,
  adminTable,
  getExpectedOutcome,
  type Operator,
  operators,
  type Relation,
  withMissingId,
} from '../../support/access/admin-table.ts'
import { createTableDigests } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import {
  createCredentials,
  createEndedSessions,
  createInvalidTokens,
  jwtSecret,
  listForeignCredentials,
} from '../../support/fixtures/credentials.ts'
import { mailServerForFile } from '../../support/network/mail-server.ts'
import { isLongRun } from '../../support/run/long-run.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const { url } = await mailServerForFile()
const service = await serviceForFile({
  environment: { JWT_SECRET: jwtSecret, SMTP_URL: url, WEBHOOK_ALLOW_PRIVATE_URLS: 'true' },
})

const digestNow = createTableDigests(service)
const fixtures = {} as Record<Role, AdminFixture>
let foreignTokens: Array<[string, string]>
let invalidTokens: Array<[string, string]>
let endedTokens: Record<string, { token: string; expected: Outcome }>

beforeAll(async () => {
  for (const role of roles) fixtures[role] = await createAdminFixture(service, role)
  const { event } = fixtures.admin
  foreignTokens = listForeignCredentials(await createCredentials(service, event), 'admin')
  invalidTokens = Object.entries(createInvalidTokens(service, event))
  endedTokens = await createEndedSessions(service)
})

// These tests run first, while the lists are short.
describe.each(adminTable.filter(({ listScope }) => listScope))('$route', (row) => {
  test('lists own items to everybody, and no items of others', async () => {
    const readers = operators.filter((operator) => getExpectedOutcome(row, operator) === 'ok')
    const seesItems = (operator: Operator) =>
      getExpectedOutcome({ ...row, subject: row.listScope ?? 'event' }, operator) === 'ok'
    for (const { role, relation } of readers) {
      const headers = { authorization: `Bearer ${tokenOf(role, relation)}` }
      const { bytes } = await sendAdminRequest(service.anonymous, row, fixtures[role].values, headers)
      for (const worldRole of roles) {
        const isExpected = seesItems({ role, relation: worldRole === role ? relation : 'stranger' })
        const isListed = bytes.includes(fixtures[worldRole].values.uniqueName)
        expect(isListed, `${role} ${relation}, world of ${worldRole}`).toBe(isExpected)
      }
    }
  })
})

describe.each(adminTable.map((row, index) => ({ ...row, index })))('$route', ({ index, ...row }) => {
  /** All routes read credentials with the same function, so each tests a few; `npm run test:long` tests all. */
  const selectSome = <T>(all: T[], count: number): T[] =>
    isLongRun ? all : Array.from({ length: count }, (_, place) => all[(index * count + place) % all.length] as T)
  // The instance has no owner, so all operators of a role have the same rights and one of them is enough.
  const operatorCases = operators
    .filter(({ relation }) => row.subject !== 'instance' || relation === 'creator')
    .map((operator) => ({ ...operator, expected: getExpectedOutcome(row, operator) }))

  test('accepts every role and relation that may use it', async () => {
    const open = operatorCases.filter(({ expected }) => expected === 'ok')
    expect(open).not.toEqual([])
    async function* calls() {
      for (const { role, relation, expected } of open) {
        const { token, values } = await createCaller(service, fixtures[role], relation, row)
        yield createCall(`${role} ${relation}`, token, values, expected)
      }
    }
    await expectOutcomes(row, calls())
    // Background work must end first, because the next test checks that nothing changes.
    if (row.causes === 'expiry') await withAppContext(service, expireEvents)
    if (row.consumes === 'idle repair') await createCaller(service, fixtures.super_admin, 'creator', row)
  })

  test('rejects every other operator and credential, reveals nothing and changes nothing', async () => {
    const calls: Call[] = []
    for (const { role, relation, expected } of operatorCases.filter((one) => one.expected !== 'ok')) {
      // Outside the trash these routes find nothing for any caller.
      const isInTrash = row.consumes === 'trashed event'
      const { values } = isInTrash ? await createCaller(service, fixtures[role], 'creator', row) : fixtures[role]
      calls.push(createCall(`${role} ${relation}`, tokenOf(role, relation), values, expected))
    }
    if (row.checkedIds) {
      // A super_admin may use both events, so missing access does not explain the rejection.
      const { token, values } = await createCaller(service, fixtures.super_admin, 'creator', row)
      for (const [id, expected] of Object.entries(row.checkedIds)) {
        const other = { ...values, [id]: fixtures.admin.values[id as keyof RequestValues] }
        calls.push(createCall(`the ${id} of another event`, token, other, expected))
      }
    }
    const { values } = fixtures.super_admin
    const pendingPasswordChange = row.isOpenBeforePasswordChange ? '403 MUST_CHANGE_PASSWORD' : null
    for (const [name, { token, expected }] of selectSome(Object.entries(endedTokens), 2)) {
      if (expected !== pendingPasswordChange) calls.push(createCall(`a session ${name}`, token, values, expected))
    }
    for (const [name, token] of selectSome(foreignTokens, 2)) {
      calls.push({ ...createCall(name, token, values, '401 INVALID_TOKEN'), error: /\badmin\b/ })
    }
    for (const [name, token] of selectSome(invalidTokens, 2)) {
      calls.push({ ...createCall(name, token, values, '401 INVALID_TOKEN'), error: /\S/ })
    }
    for (const [caller, headers] of [['nobody', {}] as const, ...selectSome(misplacedTokens(), 1)]) {
      calls.push({ caller, headers, values, expected: '401 NO_TOKEN', error: /\badmin\b/ })
    }
    const before = await seen()
    await expectOutcomes(row, [...calls, ...callsWithOtherIds(row)])

    const { token } = service.admin
    const query = `?token=${token}&admin_token=${token}&access_token=${token}&api_token=${service.api.token}`
    await expectOutcomes({ ...row, query }, [{ caller: 'the query', headers: {}, values, expected: '401 NO_TOKEN' }])
    const invalidRow = { ...row, ...(row.body && { body: () => 'no object' }) }
    const unknownPlace = row.ids.reduce(withMissingId, values)
    await expectOutcomes(invalidRow, [
      { caller: 'nobody about nothing', headers: {}, values: unknownPlace, expected: '401 NO_TOKEN' },
    ])
    const headRow = { ...row, route: row.route.replace('GET', 'HEAD') }
    const { status } = await sendAdminRequest(service.anonymous, headRow, values, {})
    expect(status).toBe(routesWithoutHead.includes(row.route) ? 405 : 401)
    expect(await seen()).toEqual(before)
  })
})

/** These routes have no HEAD, because HEAD would read all photos, store an export or never end. */
const routesWithoutHead = [
  'GET /api/admin/events/:event_id/live',
  'GET /api/admin/feedback/events/:event_id/export',
  'GET /api/admin/photos/:event_id/photos',
]

type Call = {
  caller: string
  headers: Record<string, string>
  values: RequestValues
  expected: Outcome
  error?: RegExp
}

async function expectOutcomes(row: AdminRow, calls: Iterable<Call> | AsyncIterable<Call>): Promise<void> {
  const outcomes: string[] = []
  const expectedLines: string[] = []
  // Shifts the alternation of `createCall`, so that a `caller` does not use the same transport in every row.
  callCount++
  for await (const { caller, headers, values, expected, error = /^/ } of calls) {
    const answer = await sendAdminRequest(service.anonymous, row, values, headers)
    outcomes.push(`${caller}: ${answer.outcome}`)
    expectedLines.push(`${caller}: ${expected}`)
    if (answer.outcome.startsWith('401')) expect(answer.headers.get('www-authenticate'), caller).toMatch(/^Bearer/)
    if (answer.outcome !== 'ok') expect(answer.body.error, caller).toMatch(error)
  }
  expect(outcomes).toEqual(expectedLines)
}

/** Returns what a rejected request must not change. */
async function seen() {
  // In a bucket, the chunks become one object as soon as somebody tries to complete the upload.
  const files = (await listStoredFiles(service)).map((name) => name.replace(/^parted(.*)\?.*/, 'files$1'))
  return { ...digestNow(), files: files.sort() }
}

const tokenOf = (role: Role, relation: Relation): string => fixtures[role].accounts[relation].admin.token ?? ''

let callCount = 0
/** Uses header and cookie in turn: over all rows, each `caller` uses both. */
function createCall(caller: string, token: string, values: RequestValues, expected: Outcome): Call {
  return callCount++ % 2 === 0
    ? { caller: `${caller} by header`, headers: { authorization: `Bearer ${token}` }, values, expected }
    : { caller: `${caller} by cookie`, headers: { cookie: `admin_token=${token}` }, values, expected }
}

function misplacedTokens(): Array<[string, Record<string, string>]> {
  const token = `${service.admin.token}`
  return [
    ['another scheme', { authorization: `Basic ${token}` }],
    ['no scheme', { authorization: token }],
    ['cookies of other families', { cookie: `customer_token=${token}; gallery_1=${token}; admin_refresh=${token}` }],
    ['other headers', { 'x-access-token': token, 'x-guest-token': token }],
  ]
}

/** Returns calls with unknown ids and with ids of other owners, and for uploads a call of another member. */
function callsWithOtherIds(row: AdminRow): Call[] {
  const { admin, viewer, super_admin } = fixtures
  const call = (role: Role, target: string, values: RequestValues, expected: Outcome) =>
    createCall(`${role} about ${target}`, tokenOf(role, 'creator'), values, expected)
  const calls = roles.flatMap((role) => {
    const { values } = fixtures[role]
    return getExpectedOutcome(row, { role, relation: 'creator' }) === '403 FORBIDDEN'
      ? row.ids.slice(0, 1).map(() => call(role, 'nothing', row.ids.reduce(withMissingId, values), '403 FORBIDDEN'))
      : row.ids.map((id) => call(role, `no ${id}`, withMissingId(values, id), '404 NOT_FOUND'))
  })
  for (const id of row.ids.includes('event_id') ? row.ids.filter((one) => one !== 'event_id') : []) {
    const foreign = { ...admin.values, [id]: viewer.values[id] }
    const elsewhere = { ...withMissingId(admin.values, id), event_id: super_admin.values.event_id }
    calls.push(call('admin', `the ${id} of another owner`, foreign, '404 NOT_FOUND'))
    calls.push(call('admin', `no ${id} in the event of another owner`, elsewhere, '403 FORBIDDEN'))
  }
  if (row.subject === 'upload') {
    calls.push(createCall('member', tokenOf('admin', 'member'), admin.values, '404 NOT_FOUND'))
  }
  return calls
}
