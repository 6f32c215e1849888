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

type Node = { url: string }
type Start = (...nodes: Node[]) => Promise<string>

const proxies: Array<{ name: string; start: Start }> = [
  { name: 'nginx', start: startNginx },
  { name: 'caddy', start: startCaddy },
  // The file for Apache is for one node.
  { name: 'apache2', start: startApache },
]

for (const { name, start } of proxies) {
  const options = name === 'nginx' ? {} : { tags: 'nightly' }
  describe(`behind ${name} with its file of deploy/`, options, () => {
    beforeEach(({ skip }) => requireOrSkip(skip, [requireProgram(name)]))

    test('files arrive whole, live events without delay, and the service knows the address of a visitor', async () => {
      const picture = await jpegOfSize(12 * 2 ** 20)
      const service = await serviceForTest({ environment: { TRUST_PROXY: '1' } })
      const url = await start(service)
      const [api, admin] = [createClient(url, service.api.token), createClient(url, service.admin.token)]
      const event = await createEvent(api)
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

      // Whatever the visitor claims.
      const claimed = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
      const seen = await admin.get('/api/admin/health/proxy', claimed)
      expect(seen.body).toMatchObject({ address: '127.0.0.1', scheme: 'http' })
      for (const path of ['/health/live', '/nowhere'])
        expect((await fetch(url + path)).headers.get('strict-transport-security'), path).toBe('max-age=31536000')

      const headers = { authorization: `Bearer ${admin.token}` }
      const stream = await fetch(url + livePath(event.id), { headers })
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
      expect((await api.upload(event.id, await jpegOfSize(10_000))).status).toBe(201)
      let text = ''
      while (!text.includes('photo.')) text += (await reader?.read())?.value ?? expect.fail(`The stream ended: ${text}`)
      await reader?.cancel()

      // Apache sends the whole body to the service before it passes on a response.
      if (name === 'apache2') return
      expect(await beginUpload(`${url}/api/v1/events/${event.id}/photos`)).toBe(401)
    })

    if (name !== 'apache2')
      test('clients do not notice that one of two nodes has died', { tags: 'nightly' }, async () => {
        const dataDirs = [await temporaryFolder(), await temporaryFolder()]
        const [survivor, victim] = await Promise.all(dataDirs.map((dataDir) => startByNode({ dataDir })))
        if (!survivor || !victim) throw new Error('The nodes did not start')
        onTestFinished(() => survivor.end('SIGKILL'))
        const url = await start(survivor, victim)
        const statuses: number[] = []
        const ask = async (times: number) => {
          for (let asked = 0; asked < times; asked++) statuses.push((await fetch(`${url}/assets/gallery.css`)).status)
        }
        await ask(20)
        await Promise.all([ask(50), victim.end('SIGKILL'), ask(50)])
        await ask(20)
        expect(new Set(statuses)).toEqual(new Set([200]))
      })
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
