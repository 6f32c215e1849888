import { request } from 'node:http'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { livePath } from '../support/clients/live-events.ts'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpegOfSize } from '../support/media/pictures.ts'
import { startMisconfiguredProxy } from '../support/network/misconfigured-proxy.ts'
import { startApache, startCaddy, startNginx } from '../support/network/reverse-proxies.ts'
import { requireOrSkip, requireProgram } from '../support/run/requirements.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode } from '../support/service/service-process.ts'
import { serviceForTest } from '../support/service/test-service.ts'
import { adminUploadsPath, largeJpeg, sendAllChunks } from '../support/uploads/chunked-uploads.ts'

const proxies = [
  { name: 'nginx', start: startNginx },
  { name: 'caddy', start: startCaddy },
  /** The file for Apache is for one node. */
  { name: 'apache2', start: startApache },
]

for (const { name, start } of proxies) {
  describe(`behind ${name} with its file of deploy/`, () => {
    beforeEach(({ skip }) => requireOrSkip(skip, [requireProgram(name)]))
    testBehind(start)
    if (name === 'apache2') return
    testEarlyRejection(start)
    testTwoNodes(start)
  })
}

type Node = { url: string }

async function startBehind(start: (node: Node) => Promise<string>) {
  const service = await serviceForTest({ environment: { TRUST_PROXY: '1' } })
  const url = await start(service)
  const [api, admin] = [createClient(url, service.api.token), createClient(url, service.admin.token)]
  return { url, api, admin, event: await createEvent(api) }
}

function testBehind(start: (node: Node) => Promise<string>): void {
  test('an upload of 40 MB arrives whole, and any range of it can be downloaded', async () => {
    // Before the start: it takes seconds on a slow machine, in which the service in this process answers no health check.
    const picture = await jpegOfSize(40 * 2 ** 20)
    const { api, admin, event } = await startBehind(start)
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

  test('the address and the scheme are those that the proxy saw, whatever a visitor claims', async () => {
    const { admin, url } = await startBehind(start)
    const claimed = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const { body } = await admin.get('/api/admin/health/proxy', claimed)
    expect(body).toMatchObject({ address: '127.0.0.1', scheme: 'http' })
    expect(url).toContain('http://')
  })

  test('live events arrive without delay', async () => {
    const { api, admin, event, url } = await startBehind(start)
    const headers = { authorization: `Bearer ${admin.token}` }
    const stream = await fetch(url + livePath(event.id), { headers })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    const { status } = await api.upload(event.id, await jpegOfSize(10_000))
    expect(status).toBe(201)
    let text = ''
    while (!text.includes('photo.')) text += (await reader?.read())?.value ?? expect.fail(`The stream ended: ${text}`)
    await reader?.cancel()
  })

  test('the line for HSTS works, also for errors', async () => {
    const { url } = await startBehind(start)
    for (const path of ['/health/live', '/nowhere'])
      expect((await fetch(url + path)).headers.get('strict-transport-security'), path).toBe('max-age=31536000')
  })
}

/** Apache sends the whole body to the service before it passes on a response. */
function testEarlyRejection(start: (node: Node) => Promise<string>): void {
  test('the service rejects a form without a credential before it is complete', async () => {
    const { url, event } = await startBehind(start)
    const status = await beginUpload(`${url}/api/v1/events/${event.id}/photos`)
    expect(status).toBe(401)
  })
}

function testTwoNodes(start: (...nodes: [Node, Node]) => Promise<string>): void {
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

test('behind a proxy with a limit of 100 MB, chunks pass and a form with a photo of 100 MB does not', async () => {
  const service = await serviceForTest({ environment: { TRUST_PROXY: '1' } })
  const url = await startMisconfiguredProxy(service.url, { maxBodyBytes: 100 * 2 ** 20 })
  const admin = createClient(url, service.admin.token)
  const { id } = await createEvent(service.api)
  const file = await largeJpeg(21 * 2 ** 20)
  const upload = await sendAllChunks(admin, adminUploadsPath(id), file)
  expect((await upload.complete()).status).toBe(200)
  const status = await beginUpload(`${url}/api/v1/events/${id}/photos`, 100 * 2 ** 20)
  expect(status).toBe(413)
})

/** Sends only the head and the first bytes of a form with a photo of this size. Returns the status. */
const beginUpload = (url: string, photoBytes = 50 * 2 ** 20): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': photoBytes + 150 }
    const upload = request(url, { method: 'POST', headers, agent: false }, (response) => {
      resolve(response.statusCode)
      upload.destroy()
    })
    upload.on('error', reject)
    upload.write('--x\r\n')
  })
