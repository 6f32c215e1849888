import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openSocket, type RawResponse, readRawResponse } from '../../support/clients/raw-http.ts'
import { watchRequest } from '../../support/clients/watch-request.ts'
import { type Account, createAccount, createApiToken, signIn } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { deactivate, userPath } from '../../support/fixtures/people.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api, url } = service

type PendingRequest = { finish: () => Promise<RawResponse> }

/** Sends all but the last byte of a request. Resolves when the service begins to read the body. */
async function startRequest(
  method: string,
  path: string,
  token: string | undefined,
  body: unknown,
): Promise<PendingRequest> {
  const text = Buffer.from(JSON.stringify(body))
  const { isRead } = watchRequest(path)
  const socket: Socket = openSocket(url)
  const answered = readRawResponse(socket)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(text.subarray(0, -1))
  await isRead
  return {
    finish: () => {
      socket.write(text.subarray(-1))
      return answered.finally(() => socket.destroy())
    },
  }
}

async function expectRejected(pending: PendingRequest, status: number, code: string): Promise<void> {
  const answer = await pending.finish()
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code])
}

const eventBody = { event_type: 'wedding', event_name: 'Held', require_password: false }

describe('a request with a late body is checked against the current state', () => {
  test('a deactivated super_admin cannot reactivate the account', async () => {
    const deactivated = await createAccount(service, 'super_admin')
    const pending = await startRequest('PATCH', userPath(deactivated), deactivated.admin.token, { is_active: true })
    await deactivate(admin, deactivated)
    await expectRejected(pending, 401, 'OWNER_INACTIVE')
  })

  test('an account that has lost the permission is rejected', async () => {
    const demoted = await createAccount(service, 'admin')
    const pending = await startRequest('PUT', '/api/admin/settings', demoted.admin.token, {
      general_max_file_size_mb: 50,
    })
    await admin.patch(userPath(demoted), { role: 'viewer' })
    await expectRejected(pending, 403, 'FORBIDDEN')
  })

  test('a session that was signed out creates no API token', async () => {
    const { admin: deactivated } = await createAccount(service, 'admin')
    const pending = await startRequest('POST', '/api/admin/api-tokens', deactivated.token, {
      name: 'Late',
      scopes: ['admin'],
    })
    await deactivated.post('/api/auth/logout', {})
    await expectRejected(pending, 401, 'TOKEN_REVOKED')
  })

  test('an API token that was revoked creates no event', async () => {
    const { admin: owner } = await createAccount(service, 'admin')
    const pending = await startRequest('POST', '/api/v1/events', await createApiToken(owner, ['write']), eventBody)
    const [token] = (await owner.get('/api/admin/api-tokens')).body.filter(({ scopes }: { scopes: string[] }) =>
      scopes.includes('write'),
    )
    await owner.delete(`/api/admin/api-tokens/${token.id}`)
    await expectRejected(pending, 401, 'TOKEN_REVOKED')
  })

  test('an upload with a token that was revoked during it creates no photo', async () => {
    const { admin: owner, api: ownerApi } = await createAccount(service, 'admin')
    const event = await createEvent(ownerApi)
    const head = [
      `POST /api/v1/events/${event.id}/photos HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${ownerApi.token}`,
      'Content-Type: multipart/form-data; boundary=xyz',
    ]
    const part =
      '--xyz\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    const body = Buffer.concat([Buffer.from(part), Buffer.alloc(100), Buffer.from('\r\n--xyz--\r\n')])
    const { isRead } = watchRequest(`/api/v1/events/${event.id}/photos`)
    const socket = openSocket(url)
    const answered = readRawResponse(socket)
    socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`)
    socket.write(body.subarray(0, -1))
    await isRead
    const tokens = (await owner.get('/api/admin/api-tokens')).body
    for (const { id } of tokens) await owner.delete(`/api/admin/api-tokens/${id}`)
    socket.write(body.subarray(-1))
    const answer = await answered.finally(() => socket.destroy())
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([401, 'TOKEN_REVOKED'])
  })

  test('a guest cannot mark after another gallery password was set', async () => {
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
    const pending = await startRequest('POST', path, guest.token, { feedback_type: 'like' })
    await admin.post(`/api/admin/events/${event.id}/reset-password`, {})
    const answer = await pending.finish()
    expect(answer.status).toBe(401)
  })

  test('a guest cannot start an upload after another gallery password was set', async () => {
    const [category] = (await admin.get('/api/admin/categories/global')).body
    const event = await createEvent(api, { allow_user_uploads: true, upload_category_id: category.id })
    const guest = await enterAsGuest(service, event)
    const path = `/api/gallery/${event.slug}/chunked-upload/init`
    const wanted = { filename: 'a.jpg', fileSize: 1000 }
    expect((await guest.post(path, wanted)).status).toBe(200)
    const pending = await startRequest('POST', path, guest.token, wanted)
    await admin.post(`/api/admin/events/${event.id}/reset-password`, {})
    expect((await pending.finish()).status).toBe(401)
  })
})

describe('simultaneous changes of one password', () => {
  const change = ({ admin: session }: Pick<Account, 'admin'>, currentPassword: string, newPassword: string) =>
    session.post('/api/admin/auth/change-password', { currentPassword, newPassword })

  test('from the same old password: only one succeeds', async () => {
    const account = await createAccount(service, 'admin')
    const wanted = ['a first new password', 'a second new password']
    const answers = await Promise.all(wanted.map((password) => change(account, account.password, password)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const kept = wanted[answers.findIndex(({ status }) => status === 200)] ?? ''
    expect((await signIn(service, account.username, kept)).status).toBe(200)
  })
})
