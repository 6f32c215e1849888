import { expect, test } from 'vitest'
import { openSocket, readRawResponse } from '../../support/clients/raw-http.ts'
import { watchRequest } from '../../support/clients/watch-request.ts'
import { createAccount, createApiToken, signIn } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { deactivate, userPath } from '../../support/fixtures/people.ts'
import { sharedService } from '../../support/service/test-service.ts'

// A request with a late body is checked against the state at its end.

const service = await sharedService()
const { admin, api, url } = service

/**
 * Sends all but the last byte of a request, and resolves when the service begins to read the body. Returns a function
 * that sends the last byte and returns status and code of the response.
 */
async function startRequest(route: string, token: string | undefined, body: object | Buffer) {
  const isForm = Buffer.isBuffer(body)
  const bytes = isForm ? body : Buffer.from(JSON.stringify(body))
  const { isRead } = watchRequest(route.replace(/^\w+ /, ''))
  const socket = openSocket(url)
  const answered = readRawResponse(socket)
  const head = [
    `${route} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    `Content-Type: ${isForm ? 'multipart/form-data; boundary=xyz' : 'application/json'}`,
    `Content-Length: ${bytes.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(bytes.subarray(0, -1))
  await isRead
  return async () => {
    socket.write(bytes.subarray(-1))
    const answer = await answered.finally(() => socket.destroy())
    return `${answer.status} ${JSON.parse(answer.body).code}`
  }
}

test('a deactivated super_admin cannot reactivate the account', async () => {
  const account = await createAccount(service, 'super_admin')
  const finish = await startRequest(`PATCH ${userPath(account)}`, account.admin.token, { is_active: true })
  await deactivate(admin, account)
  expect(await finish()).toBe('401 OWNER_INACTIVE')
})

test('an account that has lost the permission is rejected', async () => {
  const demoted = await createAccount(service, 'admin')
  const body = { general_max_file_size_mb: 50 }
  const finish = await startRequest('PUT /api/admin/settings', demoted.admin.token, body)
  await admin.patch(userPath(demoted), { role: 'viewer' })
  expect(await finish()).toBe('403 FORBIDDEN')
})

test('a session that was signed out creates no API token', async () => {
  const { admin: session } = await createAccount(service, 'admin')
  const body = { name: 'Late', scopes: ['admin'] }
  const finish = await startRequest('POST /api/admin/api-tokens', session.token, body)
  await session.post('/api/auth/logout', {})
  expect(await finish()).toBe('401 TOKEN_REVOKED')
})

test('an API token that was revoked creates no event and no photo', async () => {
  const { admin: owner, api: ownerApi } = await createAccount(service, 'admin')
  const { id } = await createEvent(ownerApi)
  const wedding = { event_type: 'wedding', event_name: 'Held', require_password: false }
  const part = 'Content-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg'
  const form = [Buffer.from(`--xyz\r\n${part}\r\n\r\n`), Buffer.alloc(100), Buffer.from('\r\n--xyz--\r\n')]
  const pending = [
    await startRequest('POST /api/v1/events', await createApiToken(owner, ['write']), wedding),
    await startRequest(`POST /api/v1/events/${id}/photos`, ownerApi.token, Buffer.concat(form)),
  ]
  for (const token of (await owner.get('/api/admin/api-tokens')).body) {
    await owner.delete(`/api/admin/api-tokens/${token.id}`)
  }
  for (const finish of pending) expect(await finish()).toBe('401 TOKEN_REVOKED')
})

test('a guest can neither mark nor start an upload after another gallery password was set', async () => {
  const [category] = (await admin.get('/api/admin/categories/global')).body
  const event = await createEvent(api, { allow_user_uploads: true, upload_category_id: category.id })
  const [photoId] = await uploadPhotos(api, event.id, 1)
  const { token } = await enterAsGuest(service, event)
  const base = `POST /api/gallery/${event.slug}`
  const pending = [
    await startRequest(`${base}/photos/${photoId}/feedback`, token, { feedback_type: 'like' }),
    await startRequest(`${base}/chunked-upload/init`, token, { filename: 'a.jpg', fileSize: 1000 }),
  ]
  await admin.post(`/api/admin/events/${event.id}/reset-password`, {})
  for (const finish of pending) expect(await finish()).toBe('401 TOKEN_REVOKED')
})

test('of two changes of one password at once, only one succeeds', { tags: 'database' }, async () => {
  const { username, password, admin: session } = await createAccount(service, 'admin')
  const wanted = ['a first new password', 'a second new password']
  const answers = await Promise.all(
    wanted.map((newPassword) =>
      session.post('/api/admin/auth/change-password', { currentPassword: password, newPassword }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  const kept = wanted[answers.findIndex(({ status }) => status === 200)] ?? ''
  expect((await signIn(service, username, kept)).status).toBe(200)
})
