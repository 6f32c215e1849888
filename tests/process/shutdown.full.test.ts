import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode, startProgram } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'
import { listStoredFiles } from '../support/storage/stored-files.ts'

test('SIGTERM lets a running upload finish, rejects new work and ends the process', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const service = await startByNode({ dataDir, environment: { ADMIN_PASSWORD: adminPassword } })
  const anonymous = createClient(service.url)
  const { body } = await anonymous.post('/api/auth/admin/login', { username: 'admin', password: adminPassword })
  const created = await createClient(service.url, body.token).post('/api/admin/api-tokens', {
    name: 'test',
    scopes: ['write'],
  })
  const token: string = created.body.token
  const event = await createEvent(createClient(service.url, token))

  const upload = slowUpload(`${service.url}/api/v1/events/${event.id}/photos`, token, await jpeg({ width: 800 }))
  upload.sendHalf()
  // Waits until the service has begun to store the upload.
  const staged = async () =>
    (await listStoredFiles({ dataDir } as TestService)).filter((path) => path.startsWith('staging'))
  await expect.poll(staged).toHaveLength(1)
  const ended = service.end('SIGTERM')
  await expect.poll(async () => (await anonymous.get('/health')).status).toBe(503)
  expect((await anonymous.get('/health')).body.code).toBe('UNAVAILABLE')
  upload.sendRest()
  expect(await upload.status).toBe(201)
  await ended
  await expect(fetch(`${service.url}/health/live`)).rejects.toThrow()
  expect(service.output()).toContain('"msg":"Stopped"')
  expect(service.output()).not.toContain('"level":50')
})

test('a service whose output nobody reads any more runs, and ends with SIGTERM', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const command = `echo Proofroom is ready; exec ${process.execPath} bin/proofroom.js serve > >(:)`
  const service = await startProgram('bash', ['-c', command], { dataDir })
  expect((await createClient(service.url).get('/health')).status).toBe(200)
  await service.end('SIGTERM')
})

function slowUpload(url: string, token: string, picture: Buffer) {
  const boundary = 'a-boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const half = Math.floor(body.length / 2)
  const call = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': body.length,
    },
  })
  return {
    sendHalf: () => call.write(body.subarray(0, half)),
    sendRest: () => call.end(body.subarray(half)),
    status: new Promise<number | undefined>((resolve, reject) => {
      call.on('response', (response) => resolve(response.resume().statusCode))
      call.on('error', reject)
    }),
  }
}
