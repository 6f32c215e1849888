import { beforeAll, describe, expect, test } from 'vitest'
import { type Role, roles } from '../../contract/access.ts'
import { adminRequests, type Outcome, type Place, send } from '../support/admin-requests.ts'
import {
  type AdminRow,
  adminTable,
  type Operator,
  operators,
  outcomeFor,
  type Relation,
  withNothing,
} from '../support/admin-table.ts'
import { callerOf, createWorld, type World } from '../support/admin-worlds.ts'
import { brokenTokens, credentials, endedSessions, foreignTo, jwtSecret } from '../support/credentials.ts'
import { isLongRun } from '../support/long-run.ts'
import { mailServerForFile } from '../support/mail-server.ts'
import { openRoutes, registeredRoutes } from '../support/routes.ts'
import { tableDigests } from '../support/stored.ts'
import { storedFiles } from '../support/stored-files.ts'
import { serviceForFile } from '../support/test-service.ts'

const { url } = await mailServerForFile()
const service = await serviceForFile({
  environment: { JWT_SECRET: jwtSecret, SMTP_URL: url, WEBHOOK_ALLOW_PRIVATE_URLS: 'true' },
})

const digestNow = tableDigests(service)
const worlds = {} as Record<Role, World>
let foreign: Array<[string, string]>
let broken: Array<[string, string]>
let ended: Record<string, { token: string; expected: Outcome }>

beforeAll(async () => {
  for (const role of roles) worlds[role] = await createWorld(service, role)
  const { event } = worlds.admin
  foreign = foreignTo(await credentials(service, event), 'admin')
  broken = Object.entries(brokenTokens(service, event))
  ended = await endedSessions(service)
  // The limit is high because each world takes about a hundred requests.
}, 60_000)

test('the table contains every route of the admin API', async () => {
  const registered = (await registeredRoutes(service)).filter((route) => route.includes(' /api/admin/'))
  const guarded = registered.filter((route) => !openRoutes.includes(route))
  expect(Object.keys(adminRequests).sort()).toEqual(guarded.sort())
})

// These tests run first, while the lists are short.
describe.each(adminTable.filter(({ lists }) => lists))('$route', (row) => {
  test('lists own items to everybody, and no items of others', async () => {
    const readers = operators.filter((operator) => outcomeFor(row, operator) === 'ok')
    const seen: string[] = []
    for (const { role, relation } of readers) {
      const { bytes } = await send(
        service.anonymous,
        row,
        worlds[role].place,
        carry(tokenOf(role, relation), 'by header'),
      )
      seen.push(...roles.map((of) => `${role} ${relation}, world of ${of}: ${bytes.includes(worlds[of].place.mark)}`))
    }
    const isOwn = (operator: Operator) => outcomeFor({ ...row, bound: row.lists ?? 'event' }, operator) === 'ok'
    const wanted = readers.flatMap(({ role, relation }) =>
      roles.map((of) => {
        const inOwn = isOwn({ role, relation: of === role ? relation : 'stranger' })
        return `${role} ${relation}, world of ${of}: ${inOwn}`
      }),
    )
    expect(seen).toEqual(wanted)
  })
})

describe.each(adminTable.map((row, index) => ({ ...row, index })))('$route', ({ index, ...row }) => {
  /** All routes read credentials with the same function, so each checks a third; `npm run test:long` checks all. */
  const inTurn = <T>(all: T[]): T[] => (isLongRun ? all : all.filter((_, place) => (place + index) % 3 === 0))
  // Without an owner, all operators of a role have the same rights.
  const asked = operators
    .filter(({ relation }) => row.bound !== 'instance' || relation === 'creator')
    .map((operator) => ({ ...operator, expected: outcomeFor(row, operator) }))

  test('accepts every role and relation that may use it', async () => {
    const open = asked.filter(({ expected }) => expected === 'ok')
    expect(open).not.toEqual([])
    async function* calls() {
      for (const { role, relation, expected } of open) {
        const { token, place } = await callerOf(service, worlds[role], relation, row)
        const via = nextVia()
        yield { caller: `${role} ${relation} ${via}`, headers: carry(token, via), place, expected }
      }
    }
    await check(row, calls())
    // Background work must end first, because the next tests check that nothing changes.
    if (row.fresh === 'idle repair') await callerOf(service, worlds.super_admin, 'creator', row)
  })

  test('rejects every other operator', async () => {
    const closed = asked.filter(({ expected }) => expected !== 'ok')
    const calls = closed.map(({ role, relation, expected }) => {
      const via = nextVia()
      const headers = carry(tokenOf(role, relation), via)
      return { caller: `${role} ${relation} ${via}`, headers, place: worlds[role].place, expected }
    })
    await expectRejections(row, calls)
  })

  if (row.ids.length > 0)
    test('returns 404 for an unknown id, and reveals nothing to others', () =>
      expectRejections(row, callsWithOtherIds(row)))

  if (row.checked)
    test('rejects an id of another event in its body', async () => {
      // This account owns both events, so access alone does not explain the rejection.
      const { token, place } = await callerOf(service, worlds.super_admin, 'creator', row)
      const headers = carry(token, 'by header')
      const calls = Object.entries(row.checked ?? {}).map(([id, expected]) => {
        const other = { ...place, [id]: worlds.admin.place[id as keyof Place] }
        return { caller: `with the ${id} of another event`, headers, place: other, expected }
      })
      await expectRejections(row, calls)
    })

  test('rejects sessions that have ended', async () => {
    const { place } = worlds.super_admin
    const waits = row.isOpenBeforePasswordChange ? '403 MUST_CHANGE_PASSWORD' : null
    const closed = inTurn(Object.entries(ended)).filter(([, { expected }]) => expected !== waits)
    const calls = closed.map(([name, { token, expected }]) => {
      const via = nextVia()
      return { caller: `${name} ${via}`, headers: carry(token, via), place, expected }
    })
    await expectRejections(row, calls)
  })

  test('rejects every other credential, and names the expected token type', async () => {
    const { place } = worlds.super_admin
    const by = (tokens: Array<[string, string]>, error: RegExp) =>
      tokens.map(([name, token]): Call => {
        const via = nextVia()
        return { caller: `${name} ${via}`, headers: carry(token, via), place, expected: '401 INVALID_TOKEN', error }
      })
    await expectRejections(row, [...by(inTurn(foreign), /\badmin\b/), ...by(inTurn(broken), /\S/)])
  })

  test('requires a credential, and reads it only from the header and the cookie', async () => {
    const { place } = worlds.super_admin
    const expected: Outcome = '401 NO_TOKEN'
    const calls = misplaced().map(([caller, headers]) => ({ caller, headers, place, expected, error: /\badmin\b/ }))
    await expectRejections(row, calls)
    const { token } = service.admin
    const query = `?token=${token}&admin_token=${token}&access_token=${token}&api_token=${service.api.token}`
    await expectRejections({ ...row, query }, [{ caller: 'the query', headers: {}, place, expected }])
    const wrong = { ...row, ...(row.body && { body: () => 'no object' }) }
    const nowhere = row.ids.reduce(withNothing, place)
    await expectRejections(wrong, [{ caller: 'nobody about nothing', headers: {}, place: nowhere, expected }])
    const asHead = { ...row, route: row.route.replace('GET', 'HEAD') }
    const { status } = await send(service.anonymous, asHead, place, {})
    expect(status).toBe(withoutHead.includes(row.route) ? 404 : 401)
  })

  if (!row.route.startsWith('GET'))
    test('accepts a write by cookie only from own pages', async () => {
      const { place } = worlds.super_admin
      const cookie = carry(tokenOf('super_admin', 'creator'), 'by cookie')
      const calls = otherPages.map((page): Call => {
        return { caller: JSON.stringify(page), headers: { ...cookie, ...page }, place, expected: '403 CROSS_ORIGIN' }
      })
      await expectRejections(row, calls)
    })
})

/** These routes have no HEAD, because their content depends on the time of the request. */
const withoutHead = [
  'GET /api/admin/events/:event_id/live',
  'GET /api/admin/feedback/events/:event_id/export',
  'GET /api/admin/photos/:event_id/photos',
]

type Call = {
  caller: string
  headers: Record<string, string>
  place: Place
  expected: Outcome
  error?: RegExp
}

async function check(row: AdminRow, calls: Iterable<Call> | AsyncIterable<Call>): Promise<void> {
  const outcomes: string[] = []
  const wanted: string[] = []
  // The next row begins with the other way to send the token.
  carried++
  for await (const { caller, headers, place, expected, error = /^/ } of calls) {
    const answer = await send(service.anonymous, row, place, headers)
    outcomes.push(`${caller}: ${answer.outcome}`)
    wanted.push(`${caller}: ${expected}`)
    if (answer.outcome.startsWith('401')) expect(answer.headers.get('www-authenticate'), caller).toMatch(/^Bearer/)
    if (answer.outcome !== 'ok') expect(answer.body.error, caller).toMatch(error)
  }
  expect(outcomes).toEqual(wanted)
}

/** Also expects that nothing has changed afterwards. */
async function expectRejections(row: AdminRow, calls: Call[]): Promise<void> {
  // In a bucket, the chunks become one object as soon as somebody tries to complete the upload.
  const filesSeen = async () => (await storedFiles(service)).map((name) => name.replace(/^parted(.*)\?.*/, 'files$1'))
  const seen = async () => ({ ...digestNow(), files: (await filesSeen()).sort() })
  const before = await seen()
  await check(row, calls)
  expect(await seen()).toEqual(before)
}

const tokenOf = (role: Role, relation: Relation): string => worlds[role].accounts[relation].admin.token ?? ''

type Via = 'by header' | 'by cookie'
let carried = 0
/** Alternates the ways, because all routes read credentials with the same function. Over all rows, each gets both. */
const nextVia = (): Via => (carried++ % 2 === 0 ? 'by header' : 'by cookie')
const carry = (token: string, via: Via): Record<string, string> =>
  via === 'by header' ? { authorization: `Bearer ${token}` } : { cookie: `admin_token=${token}` }

function misplaced(): Array<[string, Record<string, string>]> {
  const token = `${service.admin.token}`
  return [
    ['nobody', {}],
    ['another scheme', { authorization: `Basic ${token}` }],
    ['no scheme', { authorization: token }],
    ['cookies of other families', { cookie: `customer_token=${token}; gallery_1=${token}; admin_refresh=${token}` }],
    ['other headers', { 'x-access-token': token, 'x-guest-token': token }],
  ]
}

const otherPages: Array<Record<string, string>> = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: service.url },
  { origin: 'https://evil.example' },
  { origin: 'null' },
]

/** Unknown ids for each role, and ids of other owners inside an event of the caller. */
function callsWithOtherIds(row: AdminRow): Call[] {
  const { admin, viewer, super_admin } = worlds
  const call = (role: Role, about: string, place: Place, expected: Outcome): Call => {
    return { caller: `${role} about ${about}`, headers: carry(tokenOf(role, 'creator'), 'by header'), place, expected }
  }
  const ofRoles = roles.flatMap((role) => {
    const { place } = worlds[role]
    return outcomeFor(row, { role, relation: 'creator' }) === '403 FORBIDDEN'
      ? [call(role, 'nothing', row.ids.reduce(withNothing, place), '403 FORBIDDEN')]
      : row.ids.map((id) => call(role, `no ${id}`, withNothing(place, id), '404 NOT_FOUND'))
  })
  const inEvents = row.ids.includes('event_id') ? row.ids.filter((id) => id !== 'event_id') : []
  const ofOthers = inEvents.flatMap((id) => [
    call('admin', `the ${id} of another owner`, { ...admin.place, [id]: viewer.place[id] }, '404 NOT_FOUND'),
    call(
      'admin',
      `no ${id} in the event of another owner`,
      { ...withNothing(admin.place, id), event_id: super_admin.place.event_id },
      '403 FORBIDDEN',
    ),
  ])
  const headers = carry(tokenOf('admin', 'member'), 'by header')
  const ofColleagues: Call = { caller: 'member', headers, place: admin.place, expected: '404 NOT_FOUND' }
  return [...ofRoles, ...ofOthers, ...(row.bound === 'upload' ? [ofColleagues] : [])]
}
