import { beforeAll, describe, expect, test } from 'vitest'
import { createCollection } from '../../../server/openapi/create-collection.ts'
import { type Description, listOperations } from '../../support/clients/openapi.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

type Entry = { key: string; value: string; disabled?: boolean }
type Item = {
  name: string
  request: {
    method: string
    auth?: { type: string }
    header: Entry[]
    url: { raw: string; path: string[]; query: Entry[]; variable: Entry[] }
    body?: { mode: string; raw?: string; formdata?: Array<{ key: string; type: string }> }
  }
}
type Collection = {
  info: { name: string; schema: string }
  auth: unknown
  variable: Entry[]
  item: Array<{ name: string; item: Item[] }>
}

const service = await serviceForFile()
const { admin, anonymous, api } = service
const values: Record<string, string> = {}
let guest: TestClient
beforeAll(async () => {
  const event = await createEvent(api, { is_draft: false })
  const [photo] = await uploadPhotos(api, event.id, 1)
  guest = await enterAsGuest(service, event)
  Object.assign(values, { event_id: event.id, photo_id: photo, slug: event.slug, identifier: event.slug })
})

const load = async (path: string) => ({
  collection: (await anonymous.get(`${path}postman.json`)).body as Collection,
  description: (await anonymous.get(`${path}openapi.json`)).body as Description,
})
const itemsOf = ({ item }: Collection) => item.flatMap((folder) => folder.item)

describe.each(['/api/', '/api/gallery/'])('%spostman.json', (path) => {
  test('has every operation once, in the folder of its tag, and a variable for address, token and each id', async () => {
    const { collection, description } = await load(path)
    expect(collection.info).toMatchObject({ schema: expect.stringContaining('/v2.1.0/') })
    const operations = listOperations(description)
    const requests = itemsOf(collection).map(({ request }) => request)
    const routes = requests.map(({ method, url }) => `${method} /${url.path.join('/')}`)
    expect(routes.sort()).toEqual(operations.map(([route]) => route.replace(/\{(\w+)\}/g, ':$1')).sort())
    const used = description.tags.filter(({ name }) => operations.some(([, { tags }]) => tags?.[0] === name))
    expect(collection.item.map(({ name }) => name)).toEqual(used.map(({ name }) => name))
    const variables = collection.variable.map(({ key }) => key)
    const ids = requests.flatMap(({ url }) => url.variable.map(({ key }) => key))
    expect(variables).toEqual(expect.arrayContaining(['baseUrl', 'token', ...ids]))
    expect(JSON.stringify(collection.auth)).toContain('{{token}}')
  })

  test('has requests that reach their routes and read well', async () => {
    const { collection } = await load(path)
    const client = path === '/api/' ? api : guest
    for (const { name, request } of itemsOf(collection)) {
      const { method, url, header, body } = request
      const parts = url.path.map((part) => (part.startsWith(':') ? (values[part.slice(1)] ?? '1') : part))
      const enabled = header.filter(({ disabled }) => !disabled)
      const headers = Object.fromEntries(enabled.map(({ key, value }) => [key, value]))
      // What ends the event or its session is not sent.
      if (method === 'DELETE' || ['archive', 'logout'].includes(parts.at(-1) ?? '')) continue
      const sent = { headers, ...(body?.mode === 'raw' && { body: body.raw ?? '' }) }
      const answer = await client.call(method, `/${parts.join('/')}`, sent)
      const kinds = (answer.body?.details ?? []).map(({ kind }: { kind?: string }) => kind)
      expect([answer.status === 405, kinds.includes('unknown_path')], name).toEqual([false, false])
      if (body?.mode === 'raw') expect(answer.body?.code, name).not.toBe('VALIDATION_ERROR')
    }
  })
})

test('a collection of the admin API can be made too', async () => {
  const description = (await admin.get('/api/admin/openapi.json')).body
  const collection = createCollection(description, 'https://photos.example.com') as Collection
  expect(itemsOf(collection)).toHaveLength(listOperations(description).length)
  expect(collection.variable).toContainEqual({ key: 'baseUrl', value: 'https://photos.example.com' })
  const upload = itemsOf(collection).find(({ request }) => request.body?.mode === 'formdata')
  expect(upload?.request.body?.formdata).toContainEqual(expect.objectContaining({ type: 'file' }))
})
