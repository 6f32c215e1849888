import { beforeAll, describe, expect, test } from 'vitest'
import { publicRoutes, registeredRoutes } from '../support/routes.ts'
import { serviceForFile, serviceForTest } from '../support/test-service.ts'

type Operation = {
  operationId?: string
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>
  security?: Array<Record<string, string[]>>
  parameters?: Array<{ name: string; in: string; schema: object }>
  requestBody?: { content: Record<string, { schema: { required?: string[]; properties: Record<string, object> } }> }
}
type Description = {
  openapi: string
  info: { title: string; version: string }
  servers?: Array<{ url: string }>
  security?: Array<Record<string, string[]>>
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, { type: string; scheme: string }> }
}

const service = await serviceForFile()
const { anonymous } = service
let description: Description
beforeAll(async () => {
  description = (await anonymous.get('/api/openapi.json')).body
})

const operations = (): Array<[string, Operation]> =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
const operation = (name: string): Operation => {
  const found = operations().find(([route]) => route === name)?.[1]
  if (!found) throw new Error(`${name} is not described`)
  return found
}

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
    const registered = (await registeredRoutes(service)).filter((route) => route.includes(' /api/v1/'))
    const asDescribed = registered.map((route) => route.replace(/:(\w+)/g, '{$1}'))
    const base = description.servers?.[0]?.url ?? '/'
    const described = operations().map(([route]) => (base.endsWith('/api/v1') ? route.replace(' ', ' /api/v1') : route))
    expect(described.sort()).toEqual(asDescribed.sort())
    expect(registered).toHaveLength(publicRoutes.length)
  })

  test('gives every operation an operationId of its own, answers with schemas, and errors', () => {
    const ids = operations().map(([, { operationId }]) => operationId)
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [route, { responses }] of operations()) {
      const codes = Object.keys(responses)
      expect(
        codes.some((code) => code.startsWith('2')),
        route,
      ).toBe(true)
      expect(
        codes.some((code) => /^4/.test(code)),
        route,
      ).toBe(true)
      for (const { content } of Object.values(responses)) expect(content?.['application/json']?.schema).toBeTruthy()
    }
  })

  test('wants an API token as Bearer for every operation', () => {
    const schemes = description.components.securitySchemes
    for (const [, { security = description.security ?? [] }] of operations()) {
      const names = security.flatMap((one) => Object.keys(one))
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) expect(schemes[name]).toMatchObject({ type: 'http', scheme: 'bearer' })
    }
  })

  test('describes the upload as multipart with a binary photo', () => {
    const { requestBody, responses } = operation('POST /api/v1/events/{event_id}/photos')
    const { schema } = requestBody?.content['multipart/form-data'] ?? {}
    expect(schema?.required).toEqual(['photo'])
    expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(['category_id', 'photo', 'replaces_photo_id'])
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '201']))
  })

  test('describes the parameters of lists with their bounds', () => {
    const { parameters = [] } = operation('GET /api/v1/events/{event_id}/photos')
    const limit = parameters.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 } })
    const events = operation('GET /api/v1/events').parameters?.map(({ name }) => name)
    expect(events?.sort()).toEqual(['event_type', 'is_archived', 'is_draft', 'limit', 'offset', 'page'])
  })

  test('resolves every reference within itself', () => {
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target)
    for (const target of references) {
      expect(target).toMatch(/^#\//)
      const found = target
        .slice(2)
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], description)
      expect(found, target).toBeTruthy()
    }
  })

  test('gives examples', () => {
    expect(JSON.stringify(operation('POST /api/v1/events'))).toMatch(/"examples?":/)
  })
})

test('/api/docs answers HTML without a credential', async () => {
  for (const path of ['/api/docs', '/api/docs/']) {
    const { status, headers, bytes } = await anonymous.get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(bytes.toString()).toContain('<html')
  }
})

test('CORS_ORIGINS open the public API and the galleries, without credentials, and nothing else', async () => {
  const origin = 'https://app.example'
  const opened = await serviceForTest({ environment: { CORS_ORIGINS: origin } })
  const allowedAt = async (path: string, from = origin) =>
    (await opened.anonymous.get(path, { origin: from })).headers.get('access-control-allow-origin')
  expect(await allowedAt('/api/v1/events')).toBe(origin)
  expect(await allowedAt('/api/gallery/nothing/info')).toBe(origin)
  expect(await allowedAt('/api/v1/events', 'https://evil.example')).not.toBe('https://evil.example')
  expect(await allowedAt('/api/admin/events')).toBeNull()
  expect(await allowedAt('/api/auth/session')).toBeNull()
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
