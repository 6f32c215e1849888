import { createClient, type TestResponse } from './test-client.ts'

export type CookieClient = ReturnType<typeof createCookieClient>

/** Returns a client that stores and sends cookies, whatever their path. `get` and `submit` do not follow redirects. */
export function createCookieClient(url: string, cookies: Record<string, string> = {}) {
  const client = createClient(url)
  const jar = new Map(Object.entries(cookies))

  function storeCookies(response: TestResponse): TestResponse {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  const headers = (): Record<string, string> =>
    jar.size > 0 ? { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') } : {}

  return {
    jar,
    get: async (path: string) =>
      storeCookies(await client.call('GET', path, { headers: headers(), redirect: 'manual' })),
    post: async (path: string, body: unknown, extraHeaders: Record<string, string> = {}) =>
      storeCookies(await client.post(path, body, { ...headers(), ...extraHeaders })),
    /** Submits a form as a page without script does. */
    submit: async (path: string, fields: Record<string, string>, extraHeaders: Record<string, string> = {}) =>
      storeCookies(
        await client.call('POST', path, {
          headers: { ...headers(), ...extraHeaders },
          body: new URLSearchParams(fields),
          redirect: 'manual',
        }),
      ),
    forget: (name: string) => jar.delete(name),
  }
}
