import { request } from 'node:http'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { livePath } from '../support/clients/live-events.ts'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpegOfSize } from '../support/media/pictures.ts'
import { startCaddy, startNginx } from '../support/network/reverse-proxies.ts'
import { requireOrSkip, requireProgram } from '../support/run/requirements.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode } from '../support/service/service-process.ts'
import { serviceForTest } from '../support/service/test-service.ts'

const proxies = [
  { name: 'nginx', start: startNginx },
  { name: 'caddy', start: startCaddy },
]

for (const { name, start } of proxies) {
  describe(`behind ${name} with its file of deploy/`, () => {
    beforeEach(({ skip }) => requireOrSkip(skip, [requireProgram(name)]))
    testBehind(start)
  })
}

function testBehind(start: (...nodes: Array<{ url: string }>) => Promise<string>): void {
  async function startBehindProxy() {
    const service = await serviceForTest({ environment: { TRUST_PROXY: '1' } })
    const url = await start(service)
    const [api, admin] = [createClient(url, service.api.token), createClient(url, service.admin.token)]
    return { url, api, admin, event: await createEvent(api) }
  }

  test('an upload of 40 MB arrives whole, and any range of it can be downloaded', async () => {
    const { api, admin, event } = await startBehindProxy()
    const picture = await jpegOfSize(40 * 2 ** 20)
    const { status, body } = await api.upload(event.id, picture)
    expect(status).toBe(201)
    const path = `/api/admin/photos/${event.id}/photos/${body.id}/download`
    const whole = await admin.get(path)
    expect(whole.bytes.equals(picture)).toBe(true)
    const etag = whole.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"/)
    const part = await admin.get(path, { range: 'bytes=1000-4999', 'if-range': etag })
    expect(part.status).toBe(206)
    expect(part.bytes.equals(picture.subarray(1000, 5000))).toBe(true)
    expect((await admin.get(path, { 'if-none-match': etag })).status).toBe(304)
  })

  test('the service rejects a form without a credential before it is complete', async () => {
    const { url, event } = await startBehindProxy()
    const status = await beginUpload(`${url}/api/v1/events/${event.id}/photos`)
    expect(status).toBe(401)
  })

  test('the address and the scheme are those that the proxy saw, whatever a visitor claims', async () => {
    const { admin, url } = await startBehindProxy()
    const claimed = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const { body } = await admin.get('/api/admin/health/proxy', claimed)
    expect(body).toMatchObject({ address: '127.0.0.1', scheme: 'http' })
    expect(url).toContain('http://')
  })

  test('live events arrive without delay', async () => {
    const { api, admin, event, url } = await startBehindProxy()
    const headers = { authorization: `Bearer ${admin.token}` }
    const stream = await fetch(url + livePath(event.id), { headers })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    const { status } = await api.upload(event.id, await jpegOfSize(10_000))
    expect(status).toBe(201)
    let text = ''
    while (!text.includes('photo.')) text += (await reader?.read())?.value ?? expect.fail(`The stream ended: ${text}`)
    await reader?.cancel()
  })

  test('clients do not notice that one of two nodes has died', async () => {
    const dataDirs = [await temporaryFolder(), await temporaryFolder()]
    const [survivor, victim] = await Promise.all(dataDirs.map((dataDir) => startByNode({ dataDir })))
    if (!survivor || !victim) throw new Error('The nodes did not start')
    onTestFinished(() => survivor.end('SIGKILL'))
    const url = await start(survivor, victim)
    const statuses: number[] = []
    const ask = async (times: number) => {
      for (let asked = 0; asked < times; asked++) statuses.push((await fetch(`${url}/assets/gallery.css`)).status)
    }
    await ask(50)
    await Promise.all([ask(100), victim.end('SIGKILL'), ask(100)])
    await ask(50)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
}

/** Sends only the head and the first bytes of a 50 MB form. Returns the status. */
const beginUpload = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 50 * 2 ** 20 }
    const upload = request(url, { method: 'POST', headers, agent: false }, (response) => {
      resolve(response.statusCode)
      upload.destroy()
    })
    upload.on('error', reject)
    upload.write('--x\r\n')
  })
