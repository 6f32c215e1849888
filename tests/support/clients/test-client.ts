import { assertMatchesDescription } from './described-responses.ts'
import { sendRequest } from './send-request.ts'

export type TestResponse = {
  status: number
  headers: Headers
  /** Parsed JSON, or null for any other body. */
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a body of another type
  body: any
  bytes: Buffer
}

export type TestClient = ReturnType<typeof createClient>

type CallOptions = { headers?: Record<string, string>; body?: BodyInit; redirect?: RequestRedirect }

/**
 * Returns a client that sends real HTTP requests. Responses are checked against their OpenAPI description, if
 * described-responses.ts has loaded one.
 */
export function createClient(url: string, token?: string) {
  async function call(
    method: string,
    path: string,
    { headers = {}, ...rest }: CallOptions = {},
  ): Promise<TestResponse> {
    const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const sent = { method, headers: { ...authorization, ...headers }, ...rest }
    const { status, headers: received, bytes } = await sendRequest(url + path, sent)
    const isJson = received.get('content-type')?.startsWith('application/json') && bytes.length > 0
    const response = { status, headers: received, body: isJson ? JSON.parse(bytes.toString()) : null, bytes }
    assertMatchesDescription(method, path, response)
    return response
  }

  const withJson =
    (method: string) =>
    (path: string, body: unknown, headers: Record<string, string> = {}) =>
      call(method, path, { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })

  return {
    token,
    call,
    get: (path: string, headers: Record<string, string> = {}) => call('GET', path, { headers }),
    head: (path: string, headers: Record<string, string> = {}) => call('HEAD', path, { headers }),
    delete: (path: string, headers: Record<string, string> = {}) => call('DELETE', path, { headers }),
    post: withJson('POST'),
    put: withJson('PUT'),
    patch: withJson('PATCH'),

    /** Uploads one file in the field `photo`, with more form fields. */
    upload(eventId: number, bytes: Uint8Array<ArrayBuffer>, options: UploadOptions = {}): Promise<TestResponse> {
      const { name = 'photo.jpg', type = 'image/jpeg', fields = {}, headers = {} } = options
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) form.append(key, String(value))
      form.append('photo', new Blob([bytes], { type }), name)
      return call('POST', `/api/v1/events/${eventId}/photos`, { headers, body: form })
    },
  }
}

export type UploadOptions = {
  name?: string
  type?: string
  fields?: Record<string, string | number>
  headers?: Record<string, string>
}
