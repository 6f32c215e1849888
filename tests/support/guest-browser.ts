import { type Answer, createClient } from './test-client.ts'

export type GuestBrowser = ReturnType<typeof createBrowser>

/** Stores cookies as a browser does, but does not follow redirects. */
export function createBrowser(url: string, cookies: Record<string, string> = {}) {
  const client = createClient(url)
  const jar = new Map(Object.entries(cookies))

  function learn(answer: Answer): Answer {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }

  const headers = (): Record<string, string> =>
    jar.size > 0 ? { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') } : {}

  return {
    jar,
    get: async (path: string) => learn(await client.call('GET', path, { headers: headers(), redirect: 'manual' })),
    post: async (path: string, body: unknown, further: Record<string, string> = {}) =>
      learn(await client.post(path, body, { ...headers(), ...further })),
    /** Submits a form as a page without script does. */
    submit: async (path: string, fields: Record<string, string>, further: Record<string, string> = {}) =>
      learn(
        await client.call('POST', path, {
          headers: { ...headers(), ...further },
          body: new URLSearchParams(fields),
          redirect: 'manual',
        }),
      ),
    forget: (name: string) => jar.delete(name),
  }
}
