import { beforeAll, describe, expect, test } from 'vitest'
import { type ProblemCode, problems } from '../../../contract/problems.ts'
import { webhookEventTypes } from '../../../contract/webhooks.ts'
import { apiTokenRoutes, listRegisteredRoutes } from '../../support/access/routes.ts'
import { createSchemaValidators } from '../../support/clients/described-responses.ts'
import { lintDescription } from '../../support/clients/lint-description.ts'
import { type Description, getOperation, listOperations } from '../../support/clients/openapi.ts'
import { serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { anonymous } = service
let description: Description
beforeAll(async () => {
  description = (await anonymous.get('/api/openapi.json')).body
})

const operations = () => listOperations(description)
const operation = (name: string) => getOperation(description, name)
const toPathTemplate = (route: string): string => route.replace(/:(\w+)/g, '{$1}')

describe('/api/openapi.json', () => {
  test('is OpenAPI 3.1 as JSON, without a credential, from any origin', async () => {
    const { status, headers } = await anonymous.get('/api/openapi.json', { origin: 'https://elsewhere.example' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(description.openapi).toMatch(/^3\.1\.\d+$/)
    expect(description.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
  })

  test('describes every route below /api/v1 and no other', async () => {
    const registered = (await listRegisteredRoutes(service)).filter((route) => route.includes(' /api/v1/'))
    const base = description.servers?.[0]?.url ?? '/'
    const described = operations().map(([route]) => (base.endsWith('/api/v1') ? route.replace(' ', ' /api/v1') : route))
    expect(described.sort()).toEqual(registered.map(toPathTemplate).sort())
    expect(registered).toHaveLength(apiTokenRoutes.length)
  })

  test('gives every operation a unique operationId, a summary, a description and a described tag', () => {
    const ids = operations().map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = description.tags.filter((tag) => tag.description).map(({ name }) => name)
    for (const [route, { operationId, summary, description: text, tags: named }] of operations()) {
      expect([operationId, summary, text], route).toEqual(Array(3).fill(expect.stringMatching(/\w{4}/)))
      expect(text, route).not.toContain('undefined')
      expect(tags, route).toEqual(expect.arrayContaining(named ?? ['none']))
    }
  })

  test('lists for every operation the Bearer token, the scope and the permissions that it requires', () => {
    const { securitySchemes } = description.components
    for (const { route, scope, permission } of apiTokenRoutes) {
      const { security = [], description: text, ...stated } = operation(toPathTemplate(route))
      expect(security.flatMap((one) => Object.keys(one)).map((name) => securitySchemes[name])).toEqual([
        { type: 'http', scheme: 'bearer', description: expect.any(String) },
      ])
      const permissions = [permission ?? []].flat()
      expect(stated).toMatchObject({ 'x-required-scope': scope, 'x-required-permission': permissions })
      for (const word of [scope, ...permissions]) expect(text, route).toContain(`\`${word}\``)
    }
  })

  test('gives every operation a success response and its problems, each code under its status', () => {
    for (const [route, { responses }] of operations()) {
      const statuses = Object.keys(responses)
      expect(statuses.filter((status) => /^20[012]$/.test(status)).length, route).toBeGreaterThan(0)
      expect(statuses, route).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']))
      expect(statuses.includes('404') || !route.includes('{'), route).toBe(true)
      for (const [status, { description: text, content }] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const { schema, examples = {} } = content?.['application/json'] ?? {}
        expect(schema).toEqual({ $ref: '#/components/schemas/Problem' })
        const codes = Object.keys(examples) as ProblemCode[]
        expect(codes.length, `${route} ${status}`).toBeGreaterThan(0)
        for (const code of codes) {
          // The contract fixes status 400 for `FILE_…` codes at the init of a chunked upload, and 413 or 415 elsewhere.
          const isExempt = route.endsWith('/chunked-upload/init') && status === '400' && /^FILE_/.test(code)
          if (!isExempt) expect(problems[code].status, code).toBe(Number(status))
          expect(text).toContain(`\`${code}\`: ${problems[code].text}`)
        }
      }
    }
  })

  test('lists the problems that only some operations have', () => {
    const codes = (route: string, status: number): string[] =>
      Object.keys(operation(route).responses[status]?.content?.['application/json']?.examples ?? {})
    const photos = '/api/v1/events/{event_id}/photos'
    expect(codes(`POST ${photos}`, 409)).toEqual(['EVENT_ARCHIVED', 'PHOTO_CAP_REACHED', 'IDEMPOTENCY_IN_PROGRESS'])
    expect(codes(`POST ${photos}`, 413)).toEqual(['BODY_TOO_LARGE', 'FILE_TOO_LARGE'])
    expect(codes('POST /api/v1/events', 400)).toEqual(['INVALID_JSON', 'VALIDATION_ERROR', 'INVALID_CATEGORY'])
    expect(codes('POST /api/v1/events/{event_id}/publish', 409)).toEqual(['ALREADY_PUBLISHED', 'EVENT_ARCHIVED'])
    expect(codes(`GET ${photos}`, 403)).not.toContain('INSUFFICIENT_SCOPE')
    expect(codes(`GET ${photos}`, 409)).toEqual([])
    expect(codes(`GET ${photos}/{photo_id}/preview`, 503)).toEqual(['UNAVAILABLE', 'PHOTO_PROCESSING'])
  })

  test('resolves every reference within itself', () => {
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target)
    for (const target of references) {
      expect(target).toMatch(/^#\//)
      const found = target
        .slice(2)
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], description)
      expect(found, target).toBeInstanceOf(Object)
    }
  })

  test('passes the recommended rules of a linter without a warning', async () => {
    expect(await lintDescription(description)).toEqual([])
  })

  test('describes what receivers of webhooks get, with a valid sample of each type', () => {
    const { webhooks = {}, components } = description
    expect(Object.keys(webhooks)).toEqual(webhookEventTypes)
    const validatorAt = createSchemaValidators(description)
    for (const type of webhookEventTypes) {
      const { examples = {}, schema } = webhooks[type]?.post?.requestBody?.content['application/json'] ?? {}
      expect(schema?.$ref).toMatch(/Envelope$/)
      const validate = validatorAt(['components', 'schemas', String(schema?.$ref?.split('/').at(-1))])
      const { value } = components.examples[String(examples.sample?.$ref.split('/').at(-1))] ?? {}
      expect(value).toMatchObject({ type })
      validate(value)
      expect(validate.errors, type).toBeNull()
    }
  })
})

test('/api/docs and all that it loads are served without a credential', async () => {
  for (const path of ['/api/docs', '/api/docs/']) {
    const { status, headers, bytes } = await anonymous.get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    const html = bytes.toString()
    expect(html).toContain('<html')
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, part = '']) => new URL(part, service.url + path),
    )
    expect(parts.length).toBeGreaterThan(3)
    for (const { pathname } of parts) expect((await anonymous.get(pathname)).status, pathname).toBe(200)
  }
})

test('CORS_ORIGINS opens the public API and the galleries, without credentials, and nothing else', async () => {
  const origin = 'https://app.example'
  const opened = await serviceForTest({ environment: { CORS_ORIGINS: origin } })
  const loadAllowedOrigin = async (path: string, from = origin) =>
    (await opened.anonymous.get(path, { origin: from })).headers.get('access-control-allow-origin')
  expect(await loadAllowedOrigin('/api/v1/events')).toBe(origin)
  expect(await loadAllowedOrigin('/api/gallery/nothing/info')).toBe(origin)
  expect(await loadAllowedOrigin('/api/v1/events', 'https://evil.example')).toBeNull()
  expect(await loadAllowedOrigin('/api/admin/events')).toBeNull()
  expect(await loadAllowedOrigin('/api/auth/session')).toBeNull()
  const { headers } = await opened.anonymous.get('/api/v1/events', { origin })
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  const headersAsked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  const preflight = await opened.anonymous.call('OPTIONS', '/api/v1/events', { headers: headersAsked })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  expect(
    (await service.anonymous.get('/api/v1/events', { origin })).headers.get('access-control-allow-origin'),
  ).toBeNull()
})
