import { beforeAll, describe, expect, test } from 'vitest'
import { type ProblemCode, problems } from '../../../contract/problems.ts'
import {
  adminRoutes,
  apiTokenRoutes,
  customerRoutes,
  galleryRoutes,
  isAsset,
  listRegisteredRoutes,
} from '../../support/access/routes.ts'
import {
  assertMatchesDescription,
  createSchemaValidators,
  hasDescription,
} from '../../support/clients/described-responses.ts'
import { type Description, getOperation, listOperations } from '../../support/clients/openapi.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service
const toPathTemplate = (route: string): string => route.replace(/:(\w+)/g, '{$1}')

describe.each([
  ['/api/openapi.json', / \/api\/v1\//],
  ['/api/admin/openapi.json', / \/api\/(admin|auth|invite|public)\//],
  ['/api/gallery/openapi.json', / \/api\/((gallery|customer|auth\/gallery)\/|oembed$)/],
])('%s', (path, covered) => {
  let description: Description
  beforeAll(async () => {
    description = (await admin.get(path)).body
  })
  const operations = () => listOperations(description)

  test('describes every route and no other, with a unique operationId, a summary and described tags', async () => {
    expect(description.openapi).toMatch(/^3\.1\.\d+$/)
    const registered = (await listRegisteredRoutes(service)).filter((route) => covered.test(route))
    const expected = registered.filter((route) => !route.endsWith('.json')).map(toPathTemplate)
    const described = operations().map(([route]) => route)
    expect(described.sort()).toEqual(expected.sort())
    const ids = operations().map(([, { operationId }]) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const tags = description.tags.filter((tag) => tag.description).map(({ name }) => name)
    for (const [route, { operationId, summary, description: text = '', tags: named }] of operations()) {
      expect(operationId, route).toMatch(/^[a-z]+([A-Z][a-z]*)*$/)
      expect(summary, route).toMatch(/\w{4}/)
      expect(text, route).not.toContain('undefined')
      expect(tags, route).toEqual(expect.arrayContaining(named ?? ['none']))
    }
  })

  test('gives every operation a success response and its problems, each code under its status', () => {
    for (const [route, { responses, security = [] }] of operations()) {
      const statuses = Object.keys(responses)
      expect(statuses.filter((status) => /^20\d$/.test(status)).length, route).toBeGreaterThan(0)
      const always = ['429', '500', '503', ...(security.length > 0 ? ['401'] : [])]
      // No customer is rejected from the list of their events.
      if (security.length > 0 && route !== 'GET /api/customer/events') always.push('403')
      expect(statuses, route).toEqual(expect.arrayContaining(always))
      expect(statuses.includes('404') || !route.includes('{'), route).toBe(true)
      for (const [status, { description: text, content }] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const { schema, examples = {} } = content?.['application/json'] ?? {}
        expect(schema, `${route} ${status}`).toEqual({ $ref: '#/components/schemas/Problem' })
        const codes = Object.keys(examples) as ProblemCode[]
        expect(codes, `${route} ${status}`).not.toEqual([])
        for (const code of codes) {
          // The contract fixes status 400 for `FILE_…` codes at the init of a chunked upload, and 413 or 415 elsewhere.
          const isExempt = route.endsWith('/chunked-upload/init') && status === '400' && /^FILE_/.test(code)
          if (!isExempt) expect(problems[code].status, code).toBe(Number(status))
          expect(text).toContain(`\`${code}\`: ${problems[code].text}`)
        }
      }
    }
  })

  test('gives every JSON body and response a named schema and valid examples', () => {
    const validatorAt = createSchemaValidators(description)
    for (const [route, { requestBody, responses }] of operations()) {
      for (const [status, one] of [['body', requestBody] as const, ...Object.entries(responses)]) {
        const media = one?.content?.['application/json']
        if (!media) continue
        const place = `${route} ${status}`
        expect(media.schema.$ref, place).toMatch(/^#\/components\/schemas\/\w+$/)
        const examples = Object.values(media.examples ?? {})
        const isSuccess = Number(status) < 400
        if (!isSuccess || path === '/api/openapi.json') expect(examples, place).not.toEqual([])
        for (const { $ref } of examples) {
          const validate = validatorAt(media.schema.$ref?.slice(2).split('/') ?? [])
          validate(description.components.examples[$ref.replace('#/components/examples/', '')]?.value)
          expect(validate.errors, `${place} ${$ref}`).toBeNull()
        }
      }
    }
  })

  test('names the session or token of every guarded operation, its scope and its permissions', () => {
    const { securitySchemes } = description.components
    const byToken = [{ apiToken: [] }]
    const bySession = [{ adminSession: [] }, { adminCookie: [] }]
    const rows = [
      ...apiTokenRoutes.map((row) => ({ ...row, sessions: byToken })),
      ...adminRoutes.map((row) => ({ ...row, sessions: bySession })),
    ]
    for (const { route, permission, sessions, ...row } of rows) {
      if (!covered.test(route) || route.endsWith('.json')) continue
      const { security, description: text, ...stated } = getOperation(description, toPathTemplate(route))
      expect(security, route).toEqual(sessions)
      const permissions = [permission ?? []].flat()
      expect(stated, route).toMatchObject({ 'x-required-permission': permissions })
      if ('scope' in row) expect(stated, route).toMatchObject({ 'x-required-scope': row.scope })
      for (const word of 'scope' in row ? [row.scope, ...permissions] : permissions) {
        expect(text, route).toContain(`\`${word}\``)
      }
    }
    const byGuests = { gallerySession: galleryRoutes, customerSession: customerRoutes }
    for (const [session, routes] of Object.entries(byGuests)) {
      for (const route of routes.filter((one) => covered.test(one))) {
        const [first] = getOperation(description, toPathTemplate(route)).security ?? []
        expect(first, route).toEqual({ [session]: [] })
      }
    }
    for (const route of ['POST /api/auth/admin/login', 'GET /api/gallery/{slug}/info']) {
      if (covered.test(route)) expect(getOperation(description, route).security, route).toEqual([])
    }
    const named = operations().flatMap(([, { security = [] }]) => security.flatMap((one) => Object.keys(one)))
    expect(Object.keys(securitySchemes)).toEqual(expect.arrayContaining(named))
  })
})

test('the descriptions are open to any origin, that of the admin API only to admin sessions', async () => {
  for (const path of ['/api/openapi.json', '/api/gallery/openapi.json']) {
    const { status, headers } = await anonymous.get(path, { origin: 'https://elsewhere.example' })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  }
  const path = '/api/admin/openapi.json'
  const viewer = await createAccount(service, 'viewer')
  expect((await viewer.admin.get(path)).body).toEqual((await admin.get(path)).body)
  expectProblem(await anonymous.get(path), 401, 'NO_TOKEN')
  expectProblem(await api.get(path), 401, 'INVALID_TOKEN')
})

test('the test clients check every response below /api against a description', async () => {
  const routes = (await listRegisteredRoutes(service)).filter((route) => route.includes(' /api/') && !isAsset(route))
  const paths = routes.map((route) => route.replace(/^\w+ /, '').replace(/:\w+/g, 'any'))
  const documents = ['admin/openapi', 'gallery/openapi', 'gallery/postman', 'openapi', 'postman']
  expect(paths.filter((path) => !hasDescription(path)).sort()).toEqual(documents.map((name) => `/api/${name}.json`))
  for (const path of ['/api/v1/event-types', '/api/auth/session', '/api/customer/auth/session']) {
    const answer = await api.get(path)
    const check = (body: object) => () => assertMatchesDescription('GET', path, { ...answer, body })
    expect(check(answer.body), path).not.toThrow()
    expect(check({ ...answer.body, secret: 1 }), path).toThrow('additional')
  }
})
