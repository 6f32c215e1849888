import { beforeAll, expect, test } from 'vitest'
import { createRandom, listHostileBodies } from '../../support/access/hostile-bodies.ts'
import { listOpenWrites, type OpenRoute } from '../../support/access/open-routes.ts'
import { end, part } from '../../support/clients/multipart.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { createCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { isLongRun } from '../../support/run/long-run.ts'
import { expectLinear } from '../../support/service/linear-work.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const routes = await listOpenWrites(service)
const seed = 44
/** Each test sends hundreds of requests. */
const timeout = 180_000

let event: TestEvent
let photoId: number
let tokens: { guest: string | undefined; customer: string | undefined }
beforeAll(async () => {
  const { body: categories } = await service.admin.get('/api/admin/categories/global')
  const upload_category_id = categories[0].id
  event = await createEvent(service.api, {
    allow_user_uploads: true,
    upload_category_id,
    allow_notes: true,
    allow_annotations: true,
  })
  photoId = (await uploadPhotos(service.api, event.id, 1))[0] ?? 0
  const customer = await signInAsCustomer(service, await createCustomer(service.admin))
  tokens = { guest: (await enterAsGuest(service, event)).token, customer: customer.token }
})

const jsonRoutes = routes.filter(({ consumes }) => consumes === '')

/** All routes read bodies with the same functions, so each tests a third; `npm run test:long` tests all. */
const selectThird = <T>(all: T[], index: number): T[] =>
  isLongRun ? all : all.filter((_, place) => (place + index) % 3 === 0)

test.each(jsonRoutes.map((route, index) => ({ route, index, name: `${route.method} ${route.url}` })))(
  'the work for a body of $name grows linearly',
  async ({ route, index }) => {
    const prepare = createSender(route)
    const bodies = listHostileBodies(route.body ?? { type: 'object' }, createRandom(seed))
    for (const { name, create } of selectThird(bodies, index)) {
      await expectLinear(name, (share) => prepare(create(Math.floor((route.bodyLimit - 1500) * share))))
    }
  },
  timeout,
)

const inForms: Record<string, (text: string) => string> = {
  'the name of a file': (text) => `name="photos"; filename="${text}.jpg"\r\nContent-Type: image/jpeg`,
  'the encoded name of a file': (text) => `name="photos"; filename*=utf-8''${text}`,
  'the name of a field': (text) => `name="${text}"`,
  'a type': (text) => `name="photos"; filename="a.jpg"\r\nContent-Type: image/jpeg; ${text}`,
}

test.each(Object.entries(inForms))(
  'the work for %s grows linearly',
  async (_place, headers) => {
    for (const unit of ['\u0301\u0316', '\uff9e\u0316', '.', ' ', '%61', '%cc%81%cc%96', '\\"', '; a=b']) {
      await expectLinear(unit, (share) => {
        const text = repeat(unit, 75_000 * share)
        const body = Buffer.concat([part(`Content-Disposition: form-data; ${headers(text)}`, 'x'), end])
        const type = 'multipart/form-data; boundary=edge-of-a-part'
        return prepareRequest('POST', `/api/gallery/${event.slug}/upload`, { body, type })
      })
    }
  },
  timeout,
)

const paths = ['/', '/api/', '/gallery/', '/built/', '/api/oembed?url=', '/gallery/:slug?search=']
const galleryPaths = ['photos?search=', 'photos?', 'download-selected?ids='].map((path) => `/api/gallery/:slug/${path}`)

test.each([...paths, ...galleryPaths])(
  'the work for a URL that begins with %s grows linearly',
  async (path) => {
    for (const unit of ['/', '//x', '.', '../', '%CC%81%CC%96', '%EF%BE%9E%CC%96', '%20', '1,', 'a=b&', '%2f', '-']) {
      await expectLinear(unit, (share) =>
        prepareRequest('GET', `${path.replace(':slug', event.slug)}${repeat(unit, 15_000 * share)}x`),
      )
    }
  },
  timeout,
)

const headers = 'accept accept-encoding accept-language authorization content-type cookie idempotency-key if-none-match'
const moreHeaders = 'if-range origin range referer user-agent x-forwarded-for x-guest-token'

test.each([...headers.split(' '), ...moreHeaders.split(' ')])(
  'the work for the header %s grows linearly',
  async (header) => {
    for (const unit of ['a,', ' ', 'a;', '=', 'a=b; ', '-', '.', 'en;q=0.', '"', '%', ':']) {
      for (const route of [`POST /api/gallery/${event.slug}/notes`, `GET /gallery/${event.slug}`]) {
        const [method = '', path = ''] = route.split(' ')
        await expectLinear(`${unit} at ${path}`, (share) =>
          prepareRequest(method, path, { headers: { [header]: `x${repeat(unit, 14_000 * share)}x` } }),
        )
      }
    }
  },
  timeout,
)

const repeat = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))

/** Returns a function that prepares a request with a body, as the caller that the route is for. */
function createSender(route: OpenRoute) {
  const path = route.url
    .replace(':slug', event.slug)
    .replace(':photo_id', String(photoId))
    .replace(/:(note_id|feedback_id|thread_id)/, '999999')
    .replace(/:\w+/g, 'nothing')
  const isForm = /^\/(gallery|invite)\//.test(path)
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return (value: unknown) => {
    const text = isForm ? new URLSearchParams(value as Record<string, string>).toString() : JSON.stringify(value)
    return prepareRequest(route.method, path, { body: Buffer.from(text), type })
  }
}

type RequestOptions = { body?: Buffer; type?: string; headers?: Record<string, string> }

function prepareRequest(method: string, path: string, { body, type, headers = {} }: RequestOptions = {}) {
  const token = path.startsWith('/api/customer/events') ? tokens.customer : tokens.guest
  const isSignedIn = /^\/api\/(gallery|customer\/events)\//.test(path)
  const sent = {
    method,
    headers: {
      ...(isSignedIn && { authorization: `Bearer ${token}` }),
      ...(type && { 'content-type': type }),
      ...headers,
    },
    redirect: 'manual' as const,
    body: body && new Uint8Array(body),
  }
  return async () => {
    const { status } = await sendRequest(service.url + path, sent)
    expect(status).toBeLessThan(500)
  }
}
