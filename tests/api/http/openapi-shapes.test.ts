import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSchemaValidators } from '../../support/clients/described-responses.ts'
import { type Description, getOperation, listOperations, type Media } from '../../support/clients/openapi.ts'
import { requireOrSkip, requireProgram } from '../../support/run/requirements.ts'
import { sharedService } from '../../support/service/test-service.ts'

const { anonymous, admin } = await sharedService()
let description: Description
let adminDescription: Description
let galleryDescription: Description
beforeAll(async () => {
  description = (await anonymous.get('/api/openapi.json')).body
  adminDescription = (await admin.get('/api/admin/openapi.json')).body
  galleryDescription = (await anonymous.get('/api/gallery/openapi.json')).body
})

const operations = () => listOperations(description)
const operation = (name: string) => getOperation(description, name)

const listContents = (): Array<{ place: string[]; type: string; media: Media }> =>
  operations().flatMap(([route, { requestBody, responses }]) => {
    const [method = '', path = ''] = route.split(' ')
    const place = ['paths', path, method.toLowerCase()]
    const answers = Object.entries(responses).map(([status, response]) => ({ under: ['responses', status], response }))
    return [{ under: ['requestBody'], response: requestBody }, ...answers].flatMap(({ under, response }) =>
      Object.entries(response?.content ?? {}).map(([type, media]) => ({
        place: [...place, ...under, 'content', type, 'schema'],
        type,
        media,
      })),
    )
  })

describe('the shapes of /api/openapi.json', () => {
  test('gives every JSON body and response a named shape and valid examples', () => {
    const validatorAt = createSchemaValidators(description)
    const isJson = listContents().filter(({ type }) => type === 'application/json')
    expect(isJson.length).toBeGreaterThan(100)
    for (const { place, media } of isJson) {
      expect(media.schema.$ref, place.join(' ')).toMatch(/^#\/components\/schemas\/\w+$/)
      const examples = Object.values(media.examples ?? {})
      expect(examples.length, place.join(' ')).toBeGreaterThan(0)
      for (const { $ref } of examples) {
        const validate = validatorAt(media.schema.$ref?.slice(2).split('/') ?? place)
        validate(description.components.examples[$ref.replace('#/components/examples/', '')]?.value)
        expect(validate.errors, `${place.join(' ')} ${$ref}`).toBeNull()
      }
    }
  })

  test('gives parameters valid examples', () => {
    const validatorAt = createSchemaValidators(description)
    let seen = 0
    for (const [route, { parameters = [] }] of operations()) {
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
    const { requestBody, responses } = operation('POST /api/v1/events/{event_id}/photos')
    const { schema, ...media } = requestBody?.content['multipart/form-data'] ?? {}
    expect(schema?.required).toEqual(['photo'])
    expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(['category_id', 'photo', 'replaces_photo_id'])
    expect(schema?.properties?.photo).toMatchObject({ type: 'string', format: 'binary' })
    expect(media).toEqual({ encoding: { photo: { contentType: 'image/*' } } })
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '201']))
  })

  test.each([
    ['/api/v1/events/{event_id}/photos/{photo_id}/download', ['image/*', 'video/*'], ['Content-Disposition']],
    ['/api/v1/events/{event_id}/photos/{photo_id}/preview', ['image/*'], []],
    ['/api/v1/events/{event_id}/photos/download', ['application/zip'], ['Content-Disposition', 'X-Zip-Photos']],
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
    const { parameters = [] } = operation('GET /api/v1/events/{event_id}/photos')
    const limit = parameters.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 } })
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(['event_id'])
    const events = operation('GET /api/v1/events').parameters?.map(({ name }) => name)
    expect(events?.sort()).toEqual([
      'after',
      'event_type',
      'is_archived',
      'is_draft',
      'limit',
      'offset',
      'page',
      'search',
      'updated_since',
    ])
  })
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
