import { beforeAll, describe, expect, test } from 'vitest'
import { type ProblemCode, problems } from '../../../contract/problems.ts'
import { adminRoutes, listRegisteredRoutes } from '../../support/access/routes.ts'
import { createSchemaValidators } from '../../support/clients/described-responses.ts'
import { lintDescription } from '../../support/clients/lint-description.ts'
import { type Description, getOperation, listOperations } from '../../support/clients/openapi.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { sharedService } from '../../support/service/test-service.ts'

const path = '/api/admin/openapi.json'
const service = await sharedService()
const { admin, api, anonymous } = service
let description: Description
beforeAll(async () => {
  description = (await admin.get(path)).body
})

const operations = () => listOperations(description)
const operation = (name: string) => getOperation(description, name)
const toPathTemplate = (route: string): string => route.replace(/:(\w+)/g, '{$1}')

describe('/api/admin/openapi.json', () => {
  test('is OpenAPI 3.1 for every role with an admin session, and for nobody else', async () => {
    expect(description.openapi).toMatch(/^3\.1\.\d+$/)
    const viewer = await createAccount(service, 'viewer')
    expect((await viewer.admin.get(path)).body).toEqual(description)
    expectProblem(await anonymous.get(path), 401, 'NO_TOKEN')
    expectProblem(await api.get(path), 401, 'INVALID_TOKEN')
  })

  test('describes every admin, sign-in and public route', async () => {
    const registered = await listRegisteredRoutes(service)
    const expectedRoutes = registered.filter((route) => / \/api\/(admin|auth|invite|public)\//.test(route))
    const described = operations().map(([route]) => route)
    expect(described.sort()).toEqual(
      expectedRoutes
        .filter((route) => !route.endsWith(path))
        .map(toPathTemplate)
        .sort(),
    )
    const table = adminRoutes.map(({ route }) => toPathTemplate(route))
    expect(table.filter((route) => !described.includes(route) && !route.endsWith(path))).toEqual([])
  })

  test('gives every operation a unique operationId, a summary and tags that are described', () => {
    const ids = operations().map(([, { operationId }]) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const tags = description.tags.map(({ name }) => name)
    for (const [route, { operationId, summary, description: text, tags: tagNames = [] }] of operations()) {
      expect(operationId, route).toMatch(/^[a-z]+([A-Z][a-z]*)*$/)
      expect(summary, route).toMatch(/\w{4}/)
      expect(text, route).not.toContain('undefined')
      expect(tagNames.length, route).toBeGreaterThan(0)
      expect(tags, route).toEqual(expect.arrayContaining(tagNames))
    }
  })

  test('names the session and the permissions that each operation requires', () => {
    const { securitySchemes } = description.components
    expect(securitySchemes).toMatchObject({
      adminSession: { type: 'http', scheme: 'bearer' },
      adminCookie: { type: 'apiKey', in: 'cookie', name: 'admin_token' },
    })
    for (const { route, permission } of adminRoutes.filter(({ route: one }) => !one.endsWith(path))) {
      const { security, description: text, ...extensions } = operation(toPathTemplate(route))
      expect(security, route).toEqual([{ adminSession: [] }, { adminCookie: [] }])
      const permissions = [permission ?? []].flat()
      expect(extensions, route).toMatchObject({ 'x-required-permission': permissions })
      for (const word of permissions) expect(text, route).toContain(`\`${word}\``)
    }
    expect(operation('POST /api/auth/admin/login').security).toEqual([])
  })

  test('gives every operation a success response and its problems, each code under its own status', () => {
    for (const [route, { responses, security = [] }] of operations()) {
      const statuses = Object.keys(responses)
      expect(statuses.filter((status) => /^20\d$/.test(status)).length, route).toBeGreaterThan(0)
      const always = security.length > 0 ? ['401', '403', '429', '500', '503'] : ['429', '500', '503']
      expect(statuses, route).toEqual(expect.arrayContaining(always))
      expect(statuses.includes('404') || !route.includes('{'), route).toBe(true)
      for (const [status, { description: text, content }] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const { schema, examples = {} } = content?.['application/json'] ?? {}
        expect(schema).toEqual({ $ref: '#/components/schemas/Problem' })
        for (const code of Object.keys(examples) as ProblemCode[]) {
          // The contract fixes status 400 for `FILE_…` codes at the init of a chunked upload, and 413 or 415 elsewhere.
          const isExempt = route.endsWith('/chunked-upload/init') && status === '400' && /^FILE_/.test(code)
          if (!isExempt) expect(problems[code].status, code).toBe(Number(status))
          expect(text).toContain(`\`${code}\`: ${problems[code].text}`)
        }
      }
    }
  })

  test('gives every JSON body and response a named schema; all examples are valid', () => {
    const validatorAt = createSchemaValidators(description)
    let exampleCount = 0
    for (const [route, { requestBody, responses }] of operations()) {
      const [method = '', template = ''] = route.split(' ')
      const contents = [['requestBody', requestBody] as const, ...Object.entries(responses)]
      for (const [status, one] of contents) {
        const media = one?.content?.['application/json']
        if (!media) continue
        expect(media.schema.$ref, `${route} ${status}`).toMatch(/^#\/components\/schemas\/\w+$/)
        if (status === 'requestBody') expect(Object.keys(media.examples ?? {}), route).not.toEqual([])
        const under = status === 'requestBody' ? [status] : ['responses', status]
        const schemaPath = ['paths', template, method.toLowerCase(), ...under, 'content', 'application/json', 'schema']
        for (const { $ref } of Object.values(media.examples ?? {})) {
          exampleCount++
          const validate = validatorAt(media.schema.$ref?.slice(2).split('/') ?? schemaPath)
          validate(description.components.examples[$ref.replace('#/components/examples/', '')]?.value)
          expect(validate.errors, `${schemaPath.join(' ')} ${$ref}`).toBeNull()
        }
      }
    }
    expect(exampleCount).toBeGreaterThan(500)
  })

  test('passes the recommended rules of a linter without a warning', async () => {
    // Some paths are ambiguous, such as `photos/{event_id}/…` and `photos/repair-dimensions/…`. The router prefers the
    // literal segment.
    expect(await lintDescription(description, { 'no-ambiguous-paths': 'off' })).toEqual([])
  })
})
