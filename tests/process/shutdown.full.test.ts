import { expect, test } from 'vitest'
import { end, formHead, part, photoHeaders } from '../support/clients/multipart.ts'
import { openSocket, readRawResponse } from '../support/clients/raw-http.ts'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { startProgram } from '../support/service/service-process.ts'

test('SIGTERM lets a running upload finish, rejects new work and ends the process', async () => {
  const service = await startKillableService({ LOG_LEVEL: 'info' })
  const { url, end: endService, output } = service.process()
  const { id } = await createEvent(service.api())
  const form = Buffer.concat([part(photoHeaders, await jpeg({ width: 800 })), end])
  const half = Math.floor(form.length / 2)
  const socket = openSocket(url)
  const uploaded = readRawResponse(socket)
  const headers = { 'content-length': String(form.length), connection: 'close' }
  socket.write(formHead(`/api/v1/events/${id}/photos`, service.api().token, headers))
  socket.write(form.subarray(0, half))
  // Waits until the service has begun to store the upload.
  await expect.poll(service.listStaged).toHaveLength(1)
  const ended = endService('SIGTERM')
  const anonymous = createClient(url)
  await expect.poll(async () => (await anonymous.get('/health')).status).toBe(503)
  expect((await anonymous.get('/health')).body.code).toBe('UNAVAILABLE')
  socket.write(form.subarray(half))
  expect((await uploaded).status).toBe(201)
  await ended
  await expect(fetch(`${url}/health/live`)).rejects.toThrow()
  expect(output()).toContain('"msg":"Stopped"')
  expect(output()).not.toContain('"level":50')
})

test('a service whose output nobody reads any more runs, and ends with SIGTERM', { tags: 'nightly' }, async () => {
  const command = `echo Proofroom is ready; exec ${process.execPath} bin/proofroom.js serve > >(:)`
  const service = await startProgram('bash', ['-c', command], { dataDir: await temporaryFolder() })
  expect((await createClient(service.url).get('/health')).status).toBe(200)
  await service.end('SIGTERM')
})
