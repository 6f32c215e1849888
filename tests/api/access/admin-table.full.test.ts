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
    const seen: string[] = []
    for (const { role, relation } of readers) {
      const { bytes } = await sendAdminRequest(
        service.anonymous,
        row,
        fixtures[role].values,
        credentialHeaders(tokenOf(role, relation), 'by header'),
      )
      seen.push(
        ...roles.map(
          (worldRole) =>
            `${role} ${relation}, world of ${worldRole}: ${bytes.includes(fixtures[worldRole].values.uniqueName)}`,
        ),
      )
    }
    const canSee = (operator: Operator) =>
      getExpectedOutcome({ ...row, subject: row.listScope ?? 'event' }, operator) === 'ok'
    const expectedLines = readers.flatMap(({ role, relation }) =>
      roles.map((worldRole) => {
        const isExpected = canSee({ role, relation: worldRole === role ? relation : 'stranger' })
        return `${role} ${relation}, world of ${worldRole}: ${isExpected}`
      }),
    )
    expect(seen).toEqual(expectedLines)
  })
})

describe.each(adminTable.map((row, index) => ({ ...row, index })))('$route', ({ index, ...row }) => {
  /** All routes read credentials with the same function, so each route tests a third; `npm run test:long` tests all. */
  const selectThird = <T>(all: T[]): T[] => (isLongRun ? all : all.filter((_, values) => (values + index) % 3 === 0))
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
        const via = nextTransport()
        yield { caller: `${role} ${relation} ${via}`, headers: credentialHeaders(token, via), values, expected }
      }
    }
    await expectOutcomes(row, calls())
    // Background work must end first, because the next tests check that nothing changes.
    if (row.causes === 'expiry') await withAppContext(service, expireEvents)
    if (row.consumes === 'idle repair') await createCaller(service, fixtures.super_admin, 'creator', row)
  })

  test('rejects every other operator', async () => {
    const closed = operatorCases.filter(({ expected }) => expected !== 'ok')
    const calls: Call[] = []
    for (const { role, relation, expected } of closed) {
      const via = nextTransport()
      const headers = credentialHeaders(tokenOf(role, relation), via)
      // Outside the trash these routes find nothing, whoever asks.
      const isInTrash = row.consumes === 'trashed event'
      const { values } = isInTrash ? await createCaller(service, fixtures[role], 'creator', row) : fixtures[role]
      calls.push({ caller: `${role} ${relation} ${via}`, headers, values, expected })
    }
    await expectRejections(row, calls)
  })

  if (row.ids.length > 0)
    test('returns 404 for an unknown id, and reveals nothing to others', () =>
      expectRejections(row, callsWithOtherIds(row)))

  if (row.checkedIds)
    test('rejects an id of another event in its body', async () => {
      // A super_admin may use both events, so missing access does not explain the rejection.
      const { token, values } = await createCaller(service, fixtures.super_admin, 'creator', row)
      const headers = credentialHeaders(token, 'by header')
      const calls = Object.entries(row.checkedIds ?? {}).map(([id, expected]) => {
        const other = { ...values, [id]: fixtures.admin.values[id as keyof RequestValues] }
        return { caller: `with the ${id} of another event`, headers, values: other, expected }
      })
      await expectRejections(row, calls)
    })

  test('rejects sessions that have ended', async () => {
    const { values } = fixtures.super_admin
    const pendingPasswordChange = row.isOpenBeforePasswordChange ? '403 MUST_CHANGE_PASSWORD' : null
    const closed = selectThird(Object.entries(endedTokens)).filter(
      ([, { expected }]) => expected !== pendingPasswordChange,
    )
    const calls = closed.map(([name, { token, expected }]) => {
      const via = nextTransport()
      return { caller: `${name} ${via}`, headers: credentialHeaders(token, via), values, expected }
    })
    await expectRejections(row, calls)
  })

  test('rejects every other credential, and names the expected token type', async () => {
    const { values } = fixtures.super_admin
    const callsWithTokens = (tokens: Array<[string, string]>, error: RegExp) =>
      tokens.map(([name, token]): Call => {
        const via = nextTransport()
        return {
          caller: `${name} ${via}`,
          headers: credentialHeaders(token, via),
          values,
          expected: '401 INVALID_TOKEN',
          error,
        }
      })
    await expectRejections(row, [
      ...callsWithTokens(selectThird(foreignTokens), /\badmin\b/),
      ...callsWithTokens(selectThird(invalidTokens), /\S/),
    ])
  })

  test('requires a credential, and reads it only from the header and the cookie', async () => {
    const { values } = fixtures.super_admin
    const expected: Outcome = '401 NO_TOKEN'
    const calls = misplacedTokens().map(([caller, headers]) => ({
      caller,
      headers,
      values,
      expected,
      error: /\badmin\b/,
    }))
    await expectRejections(row, calls)
    const { token } = service.admin
    const query = `?token=${token}&admin_token=${token}&access_token=${token}&api_token=${service.api.token}`
    await expectRejections({ ...row, query }, [{ caller: 'the query', headers: {}, values, expected }])
    const invalidRow = { ...row, ...(row.body && { body: () => 'no object' }) }
    const unknownPlace = row.ids.reduce(withMissingId, values)
    await expectRejections(invalidRow, [
      { caller: 'nobody about nothing', headers: {}, values: unknownPlace, expected },
    ])
    const headRow = { ...row, route: row.route.replace('GET', 'HEAD') }
    const { status } = await sendAdminRequest(service.anonymous, headRow, values, {})
    expect(status).toBe(routesWithoutHead.includes(row.route) ? 405 : 401)
  })

  if (!row.route.startsWith('GET'))
    test('accepts a write by cookie only from own pages', async () => {
      const { values } = fixtures.super_admin
      const cookie = credentialHeaders(tokenOf('super_admin', 'creator'), 'by cookie')
      const calls = foreignPageHeaders.map((page): Call => {
        return { caller: JSON.stringify(page), headers: { ...cookie, ...page }, values, expected: '403 CROSS_ORIGIN' }
      })
      await expectRejections(row, calls)
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
  // Shifts the alternation of `nextTransport`, so that a `caller` does not use the same transport in every row.
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

/** Also expects that nothing has changed afterwards. */
async function expectRejections(row: AdminRow, calls: Call[]): Promise<void> {
  // In a bucket, the chunks become one object as soon as somebody tries to complete the upload.
  const listFileNames = async () =>
    (await listStoredFiles(service)).map((name) => name.replace(/^parted(.*)\?.*/, 'files$1'))
  const seen = async () => ({ ...digestNow(), files: (await listFileNames()).sort() })
  const before = await seen()
  await expectOutcomes(row, calls)
  expect(await seen()).toEqual(before)
}

const tokenOf = (role: Role, relation: Relation): string => fixtures[role].accounts[relation].admin.token ?? ''

type Transport = 'by header' | 'by cookie'
let callCount = 0
/** Alternates, because all routes read credentials with the same function: over all rows, each `caller` uses both. */
const nextTransport = (): Transport => (callCount++ % 2 === 0 ? 'by header' : 'by cookie')
const credentialHeaders = (token: string, via: Transport): Record<string, string> =>
  via === 'by header' ? { authorization: `Bearer ${token}` } : { cookie: `admin_token=${token}` }

function misplacedTokens(): Array<[string, Record<string, string>]> {
  const token = `${service.admin.token}`
  return [
    ['nobody', {}],
    ['another scheme', { authorization: `Basic ${token}` }],
    ['no scheme', { authorization: token }],
    ['cookies of other families', { cookie: `customer_token=${token}; gallery_1=${token}; admin_refresh=${token}` }],
    ['other headers', { 'x-access-token': token, 'x-guest-token': token }],
  ]
}

const foreignPageHeaders: Array<Record<string, string>> = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: service.url },
  { origin: 'https://evil.example' },
  { origin: 'null' },
]

/** Returns calls with unknown ids and with ids of other owners, and for uploads a call of another member. */
function callsWithOtherIds(row: AdminRow): Call[] {
  const { admin, viewer, super_admin } = fixtures
  const call = (role: Role, target: string, values: RequestValues, expected: Outcome): Call => {
    return {
      caller: `${role} about ${target}`,
      headers: credentialHeaders(tokenOf(role, 'creator'), 'by header'),
      values,
      expected,
    }
  }
  const callsWithUnknownIds = roles.flatMap((role) => {
    const { values } = fixtures[role]
    return getExpectedOutcome(row, { role, relation: 'creator' }) === '403 FORBIDDEN'
      ? [call(role, 'nothing', row.ids.reduce(withMissingId, values), '403 FORBIDDEN')]
      : row.ids.map((id) => call(role, `no ${id}`, withMissingId(values, id), '404 NOT_FOUND'))
  })
  const inEvents = row.ids.includes('event_id') ? row.ids.filter((id) => id !== 'event_id') : []
  const callsWithForeignIds = inEvents.flatMap((id) => [
    call('admin', `the ${id} of another owner`, { ...admin.values, [id]: viewer.values[id] }, '404 NOT_FOUND'),
    call(
      'admin',
      `no ${id} in the event of another owner`,
      { ...withMissingId(admin.values, id), event_id: super_admin.values.event_id },
      '403 FORBIDDEN',
    ),
  ])
  const headers = credentialHeaders(tokenOf('admin', 'member'), 'by header')
  const callByMember: Call = { caller: 'member', headers, values: admin.values, expected: '404 NOT_FOUND' }
  return [...callsWithUnknownIds, ...callsWithForeignIds, ...(row.subject === 'upload' ? [callByMember] : [])]
}
