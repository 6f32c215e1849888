import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { webhookEventTypes } from '../../../contract/webhooks.ts'
import { createSchemaValidators } from '../../support/clients/described-responses.ts'
import { lintDescription } from '../../support/clients/lint-description.ts'
import { type Description, getOperation, listOperations } from '../../support/clients/openapi.ts'
import { requireOrSkip, requireProgram } from '../../support/run/requirements.ts'
import { serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { anonymous, admin, url } = service
let description: Description
let adminDescription: Description
let galleryDescription: Description
beforeAll(async () => {
  description = (await anonymous.get('/api/openapi.json')).body
  adminDescription = (await admin.get('/api/admin/openapi.json')).body
  galleryDescription = (await anonymous.get('/api/gallery/openapi.json')).body
})

const operation = (name: string) => getOperation(description, name)

describe('the shapes of /api/openapi.json', () => {
  test('gives parameters valid examples', () => {
    const validatorAt = createSchemaValidators(description)
    let seen = 0
    for (const [route, { parameters = [] }] of listOperations(description)) {
      const [method = '', path = ''] = route.split(' ')
      for (const [index, { example, name }] of parameters.entries()) {
        if (example === undefined) continue
        seen++
        const validate = validatorAt(['paths', path, method.toLowerCase(), 'parameters', String(index), 'schema'])
        expect(validate(example), `${route} ${name}`).toBe(true)
      }
    }
    expect(seen).toBeGreaterThan(0)
  })

  test('writes "this or null" as a type, and uses no keyword of OpenAPI 3.0', () => {
    const { Event, Photo } = description.components.schemas
    expect(Event?.properties?.event_date).toMatchObject({ type: ['string', 'null'], format: 'date' })
    expect(Photo?.properties?.type).toEqual({ type: ['string', 'null'], enum: ['individual', 'collage', null] })
    expect(Photo?.properties?.my_color_label).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/ColorLabel' }, { type: 'null' }],
    })
    expect(JSON.stringify(description)).not.toContain('"nullable"')
  })

  test('describes the upload as multipart with a binary photo', () => {
    const { requestBody, responses } = operation(`POST ${photos}`)
    const { schema, ...media } = requestBody?.content['multipart/form-data'] ?? {}
    expect(schema?.required).toEqual(['photo'])
    expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(['category_id', 'photo', 'replaces_photo_id'])
    expect(schema?.properties?.photo).toMatchObject({ type: 'string', format: 'binary' })
    expect(media).toEqual({ encoding: { photo: { contentType: 'image/*' } } })
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '201']))
  })

  const photos = '/api/v1/events/{event_id}/photos'
  test.each([
    [`${photos}/{photo_id}/download`, ['image/*', 'video/*'], ['Content-Disposition']],
    [`${photos}/{photo_id}/preview`, ['image/*'], []],
    [`${photos}/download`, ['application/zip'], ['Content-Disposition', 'X-Zip-Photos']],
  ])('describes the responses of GET %s: 200, 206, 304 and 416', (path, types, headers) => {
    const { responses } = operation(`GET ${path}`)
    for (const status of ['200', '206']) {
      expect(responses[status]?.content).toEqual(
        Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
      )
      const named = Object.keys(responses[status]?.headers ?? {})
      expect(named).toEqual(expect.arrayContaining(['ETag', 'Accept-Ranges', ...headers]))
      expect(named.includes('Content-Range')).toBe(status === '206')
    }
    expect(Object.keys(responses['304'] ?? {})).toEqual(['description', 'headers'])
    expect(Object.keys(responses['416']?.headers ?? {})).toContain('Content-Range')
  })

  test('describes the parameters of lists with their bounds, and requires none that has a default', () => {
    const { parameters = [] } = operation(`GET ${photos}`)
    const limit = parameters.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 } })
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(['event_id'])
    const events = operation('GET /api/v1/events').parameters?.map(({ name }) => name)
    const expected = 'after event_type is_archived is_draft limit offset page search updated_since'
    expect(events?.sort().join(' ')).toBe(expected)
  })

  test('lists the problems that only some operations have', () => {
    const codes = (route: string, status: number): string[] =>
      Object.keys(operation(route).responses[status]?.content?.['application/json']?.examples ?? {})
    expect(codes(`POST ${photos}`, 409)).toEqual(['EVENT_ARCHIVED', 'PHOTO_CAP_REACHED', 'IDEMPOTENCY_IN_PROGRESS'])
    expect(codes(`POST ${photos}`, 413)).toEqual(['BODY_TOO_LARGE', 'FILE_TOO_LARGE'])
    expect(codes('POST /api/v1/events', 400)).toEqual(['INVALID_JSON', 'VALIDATION_ERROR', 'INVALID_CATEGORY'])
    expect(codes('POST /api/v1/events/{event_id}/publish', 409)).toEqual(['ALREADY_PUBLISHED', 'EVENT_ARCHIVED'])
    expect(codes(`GET ${photos}`, 403)).not.toContain('INSUFFICIENT_SCOPE')
    expect(codes(`GET ${photos}`, 409)).toEqual([])
    expect(codes(`GET ${photos}/{photo_id}/preview`, 503)).toEqual(['UNAVAILABLE', 'PHOTO_PROCESSING'])
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

test('the descriptions pass the recommended rules of a linter without a warning', async () => {
  // Some paths are ambiguous, such as `photos/{event_id}/…` and `photos/repair-dimensions/…`. The router prefers the
  // literal segment.
  const rules = { 'no-ambiguous-paths': 'off' } as const
  expect(await lintDescription(description)).toEqual([])
  expect(await lintDescription(adminDescription, rules)).toEqual([])
  expect(await lintDescription(galleryDescription, rules)).toEqual([])
})

/** Returns the values of all keys called `pattern`, at any depth. */
function listPatterns(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string' ? [value] : listPatterns(value),
  )
}

test("every pattern of the documents is valid in JavaScript, with and without u, and in Python's re", ({ skip }) => {
  requireOrSkip(skip, [requireProgram('python3')])
  const patterns = [...new Set([description, adminDescription, galleryDescription].flatMap(listPatterns))]
  expect(patterns.length).toBeGreaterThan(5)
  for (const pattern of patterns) for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags)).not.toThrow()
  const compile = 'import json, re, sys\nfor pattern in json.load(sys.stdin): re.compile(pattern)'
  const { status, stderr } = spawnSync('python3', ['-c', compile], { input: JSON.stringify(patterns) })
  expect([status, stderr.toString()]).toEqual([0, ''])
})

test('/api/docs and all that it loads are served without a credential', async () => {
  for (const path of ['/api/docs', '/api/docs/']) {
    const { status, headers, bytes } = await anonymous.get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    const found = [...bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)]
    const parts = found.map(([, part = '']) => new URL(part, url + path))
    expect(parts.length).toBeGreaterThan(3)
    for (const { pathname } of parts) expect((await anonymous.get(pathname)).status, pathname).toBe(200)
  }
})

test('CORS_ORIGINS opens the public API and the galleries, without credentials, and nothing else', async () => {
  const origin = 'https://app.example'
  const opened = await serviceForTest({ environment: { CORS_ORIGINS: origin } })
  const allowed = async (path: string, from = origin, to = opened) =>
    (await to.anonymous.get(path, { origin: from })).headers.get('access-control-allow-origin')
  for (const path of ['/api/v1/events', '/api/gallery/nothing/info']) expect(await allowed(path)).toBe(origin)
  expect(await allowed('/api/v1/events', 'https://evil.example')).toBeNull()
  for (const path of ['/api/admin/events', '/api/auth/session']) expect(await allowed(path)).toBeNull()
  expect(await allowed('/api/v1/events', origin, service)).toBeNull()
  const { headers } = await opened.anonymous.get('/api/v1/events', { origin })
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  const exposed = headers.get('access-control-expose-headers')?.toLowerCase()
  for (const name of ['idempotent-replayed', 'x-request-id', 'retry-after', 'etag', 'content-disposition']) {
    expect(exposed).toContain(name)
  }
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const asked = { origin, 'access-control-request-headers': 'authorization,idempotency-key' }
    const sent = { headers: { ...asked, 'access-control-request-method': method } }
    const preflight = await opened.anonymous.call('OPTIONS', '/api/v1/events', sent)
    expect(preflight.status).toBe(204)
    const allowedHeaders = preflight.headers.get('access-control-allow-headers')
    for (const name of ['authorization', 'idempotency-key']) expect(allowedHeaders).toContain(name)
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
  }
})
