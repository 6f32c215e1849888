import { beforeAll, describe, expect, test } from 'vitest'
import { problems } from '../../../contract/problems.ts'
import { customerRoutes, galleryRoutes, listRegisteredRoutes } from '../../support/access/routes.ts'
import { createSchemaValidators } from '../../support/clients/described-responses.ts'
import { lintDescription } from '../../support/clients/lint-description.ts'
import { type Description, getOperation, listOperations } from '../../support/clients/openapi.ts'
import { sharedService } from '../../support/service/test-service.ts'

const path = '/api/gallery/openapi.json'
const service = await sharedService()
let description: Description
beforeAll(async () => {
  description = (await service.anonymous.get(path)).body
})

const operations = () => listOperations(description)
const toPathTemplate = (route: string): string => route.replace(/:(\w+)/g, '{$1}')

describe('/api/gallery/openapi.json', () => {
  test('is OpenAPI 3.1 without a credential, from any origin', async () => {
    const { headers } = await service.anonymous.get(path, { origin: 'https://elsewhere.example' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(description.openapi).toMatch(/^3\.1\.\d+$/)
  })

  test('describes every route of guests and customers and no other', async () => {
    const registered = (await listRegisteredRoutes(service)).filter((route) =>
      / \/api\/((gallery|customer|auth\/gallery)\/|oembed$)/.test(route),
    )
    const expected = registered.filter((route) => !route.endsWith('.json')).map(toPathTemplate)
    const described = operations().map(([route]) => route)
    expect(described.sort()).toEqual(expected.sort())
    expect(described).toEqual(expect.arrayContaining([...galleryRoutes, ...customerRoutes].map(toPathTemplate)))
  })

  test('gives every operation a unique operationId, a summary, a described tag and its session', () => {
    const ids = operations().map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = description.tags.map(({ name }) => name)
    const schemes = Object.keys(description.components.securitySchemes)
    for (const [route, { operationId, summary, tags: named = [], security = [] }] of operations()) {
      expect([operationId, summary], route).toEqual(Array(2).fill(expect.stringMatching(/\w{4}/)))
      expect(named.length, route).toBeGreaterThan(0)
      expect(tags, route).toEqual(expect.arrayContaining(named))
      expect(schemes).toEqual(expect.arrayContaining(security.flatMap((one) => Object.keys(one))))
    }
    const { security } = getOperation(description, 'GET /api/gallery/{slug}/info')
    expect(security).toEqual([])
    const guarded = [...galleryRoutes.map((route) => [route, 'gallerySession'] as const)]
    for (const [route, scheme] of guarded) {
      expect(getOperation(description, toPathTemplate(route)).security?.[0], route).toEqual({ [scheme]: [] })
    }
    for (const route of customerRoutes) {
      expect(getOperation(description, toPathTemplate(route)).security?.[0], route).toEqual({ customerSession: [] })
    }
  })

  test('lists the problems of every operation, and examples of every JSON body', () => {
    const validatorAt = createSchemaValidators(description)
    for (const [route, { requestBody, responses }] of operations()) {
      const [method = '', template = ''] = route.split(' ')
      const statuses = Object.keys(responses).map(Number)
      expect(statuses, route).toEqual(expect.arrayContaining([429, 500, 503]))
      const codes = Object.values(responses).flatMap(({ content }) =>
        Object.keys(content?.['application/json']?.examples ?? {}).filter((name) => /^[A-Z_]+$/.test(name)),
      )
      expect(codes.filter((code) => !(code in problems))).toEqual([])
      const media = requestBody?.content['application/json']
      if (!media) continue
      expect(Object.keys(media.examples ?? {}), route).not.toEqual([])
      const validate = validatorAt([
        ...['paths', template, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'],
      ])
      for (const { $ref } of Object.values(media.examples ?? {})) {
        validate(description.components.examples[$ref.replace('#/components/examples/', '')]?.value)
        expect(validate.errors, `${route} ${$ref}`).toBeNull()
      }
    }
  })

  test('passes the recommended rules of a linter without a warning', async () => {
    // The router prefers the literal segment of `resolve/{identifier}` to that of `{slug}/photos`.
    expect(await lintDescription(description, { 'no-ambiguous-paths': 'off' })).toEqual([])
  })
})
