import { expect } from 'vitest'
import type { Role } from '../../../contract/access.ts'
import { createClient, type TestClient } from '../clients/test-client.ts'
import { changeDatabase } from '../database/service-database.ts'
import { type Account, createAccount } from '../fixtures/accounts.ts'
import { assignmentPath, createCustomer } from '../fixtures/customers.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../fixtures/events.ts'
import { invite, newPerson } from '../fixtures/people.ts'
import { generateCode } from '../fixtures/second-factor.ts'
import { createSignIn } from '../fixtures/sign-ins.ts'
import { jpeg } from '../media/pictures.ts'
import type { TestService } from '../service/test-service.ts'
import { type AdminRequest, type Consumable, picture, type RequestValues, webhook } from './admin-requests.ts'
import type { Relation } from './admin-table.ts'

/** An event with all kinds of data, and three accounts of one role: its creator, a member and a stranger. */
export type AdminFixture = {
  role: Role
  accounts: Record<Relation, Account>
  event: TestEvent
  guest: TestClient
  values: RequestValues
}

/** Creates most of the data as the first admin, because some roles may not create it. */
export async function createAdminFixture(service: TestService, role: Role): Promise<AdminFixture> {
  const { admin, api } = service
  const accounts = {
    creator: await createAccount(service, role),
    member: await createAccount(service, role),
    stranger: await createAccount(service, role),
  }
  const uniqueName = `World of ${role}`
  const event = await createEvent(api, {
    event_name: uniqueName,
    customer_email: 'ana@example.com',
    expiration_days: 10,
    allow_notes: true,
  })
  const guest = await enterAsGuest(service, event)
  const base = { role, accounts, event, guest, values: {} as RequestValues }
  await assignOwner(service, base, 'events', event.id)
  const [photo_id = 0] = await uploadPhotos(api, event.id, 1)
  const canUpload = role !== 'viewer'
  const values: RequestValues = {
    event_id: event.id,
    photo_id,
    feedback_id: await createFeedback(base, photo_id),
    selection_id: await createSelection(service, base, photo_id),
    round_id: 1,
    ...(await createNote(base)),
    category_id: (await admin.post('/api/admin/categories', { name: 'First dance', event_id: event.id })).body.id,
    customer_id: await createOwnCustomer(service, base, uniqueName),
    mail_id: await createFailedMail(service, event.id),
    token_id: (await createToken(accounts.creator, uniqueName)).token_id,
    ...(await createWebhook(admin)),
    act_id: `0.like.${event.id}.nobody`,
    export_id: await exportPicks(accounts.creator.admin, event.id),
    upload_id: await beginUpload(canUpload ? accounts.creator.admin : admin, event.id),
    index: 0,
    number: 1,
    user_id: await createUser(admin),
    colleague_id: accounts.member.id,
    slug_prefix: (await createEventType(admin)).slug_prefix,
    group: 'general',
    guests: ['nobody', 'nobody either'],
    guest_id: 'nobody',
    letter: 'gallery_created',
    language: 'en',
    password: accounts.creator.password,
    uniqueName,
    code: '000000',
  }
  return { ...base, values }
}

type Caller = { token: string; values: RequestValues }

/** Returns the token of an account and the values for a request. Creates what the request changes or deletes. */
export async function createCaller(
  service: TestService,
  world: AdminFixture,
  relation: Relation,
  { consumes }: Pick<AdminRequest, 'consumes'>,
): Promise<Caller> {
  const account = world.accounts[relation]
  const { token = account.admin.token ?? '', ...created } = consumes
    ? await creators[consumes](service, world, account)
    : {}
  return { token, values: { ...world.values, ...created } }
}

type CreatedValues = Partial<RequestValues> & { token?: string | undefined }
type CreateConsumable = (service: TestService, world: AdminFixture, account: Account) => Promise<CreatedValues>

const creators: Record<Consumable, CreateConsumable> = {
  event: (service, world) => createOwnEvent(service, world),
  draft: (service, world) => createOwnEvent(service, world, { is_draft: true }),
  'archived event': async (service, world) => {
    const created = await createOwnEvent(service, world)
    await service.admin.post(`/api/admin/events/${created.event_id}/archive`, {})
    return created
  },
  'event with a first look': async (service, world) => {
    const created = await createOwnEvent(service, world)
    const body = { about_count: 80, complete_on: '2031-07-12' }
    await service.admin.put(`/api/admin/events/${created.event_id}/first-look`, body)
    return created
  },
  'trashed event': async (service, world) => {
    const created = await createOwnEvent(service, world)
    await service.admin.post(`/api/admin/events/${created.event_id}/trash`, {})
    return created
  },
  'trashed photo': async ({ api, admin }, { event }) => {
    const [photo_id = 0] = await uploadPhotos(api, event.id, 1)
    await admin.post(`/api/admin/photos/${event.id}/trash`, { photoIds: [photo_id] })
    return { photo_id }
  },
  'replaced photo': async ({ api }, { event }) => {
    const [photo_id = 0] = await uploadPhotos(api, event.id, 1)
    await api.upload(event.id, picture, { fields: { replaces_photo_id: photo_id } })
    return { photo_id }
  },
  'photo with versions': async (service, world) => {
    const created = await createOwnEvent(service, world, { keep_versions: true })
    const eventId = created.event_id ?? 0
    const [photo_id = 0] = await uploadPhotos(service.api, eventId, 1)
    await service.api.upload(eventId, await jpeg({ seed: 8 }), { fields: { replaces_photo_id: photo_id } })
    return { ...created, photo_id }
  },
  photo: async ({ api }, { event }) => {
    const [photo_id = 0] = await uploadPhotos(api, event.id, 1)
    return { photo_id }
  },
  answer: async (_, world) => createAnswer(world, world.values.thread_id),
  feedback: async (_, world) => ({ feedback_id: await createFeedback(world, world.values.photo_id) }),
  category: async ({ admin }, { event }) => {
    const { body } = await admin.post('/api/admin/categories', { name: 'Fleeting', event_id: event.id })
    return { category_id: body.id }
  },
  'event with one category': async (service, world) => {
    const created = await createOwnEvent(service, world)
    const { body } = await service.admin.post('/api/admin/categories', { name: 'Only', event_id: created.event_id })
    return { ...created, category_id: body.id }
  },
  customer: async (service, world) => ({ customer_id: await createOwnCustomer(service, world) }),
  'failed mail': async (service, { event }) => ({ mail_id: await createFailedMail(service, event.id) }),
  guests: async (service, world) => ({
    guests: [await createGuest(service, world), await createGuest(service, world)],
  }),
  guest: async (service, world) => ({ guest_id: await createGuest(service, world) }),
  export: async (_service, { event }, { admin }) => ({ export_id: await exportPicks(admin, event.id) }),
  token: (_service, _world, account) => createToken(account),
  webhook: ({ admin }) => createWebhook(admin),
  account: (service, { role }) => createFleetingAccount(service, role),
  upload: async (_service, { event }, { admin }) => ({ upload_id: await beginUpload(admin, event.id) }),
  'received upload': async (_service, { event }, { admin }) => {
    const upload_id = await beginUpload(admin, event.id)
    await admin.call('POST', `/api/admin/photos/${event.id}/chunked-upload/${upload_id}/chunk/0`, {
      headers: { 'content-type': 'application/octet-stream' },
      body: picture,
    })
    return { upload_id }
  },
  'unconfirmed factor': async (service, { role }) => {
    const account = await createFleetingAccount(service, role)
    return { ...account, code: await beginSecondFactor(service, account) }
  },
  'second factor': async (service, { role }) => {
    const account = await createFleetingAccount(service, role)
    const code = await beginSecondFactor(service, account)
    await createClient(service.url, account.token).post('/api/admin/auth/mfa/confirm', { code })
    return account
  },
  'open round': (service, world) => createRound(service, world),
  'submitted round': (service, world) => createRound(service, world, true),
  'idle repair': async ({ admin }) => {
    const isRunning = async () => (await admin.get('/api/admin/photos/repair-dimensions/status')).body.isRunning
    await expect.poll(isRunning).toBe(false)
    return {}
  },
  'event type': ({ admin }) => createEventType(admin),
  user: async ({ admin }) => ({ user_id: await createUser(admin) }),
  'deactivated user': async ({ admin }) => {
    const user_id = await createUser(admin)
    await admin.post(`/api/admin/users/${user_id}/deactivate`, {})
    return { user_id }
  },
}

async function createNote(world: Pick<AdminFixture, 'event' | 'guest'>) {
  const { id } = (await world.guest.post(`/api/gallery/${world.event.slug}/notes`, { text: 'Thank you' })).body
  return { note_id: id, thread_id: id, ...(await createAnswer(world, id)) }
}

async function createAnswer({ event, guest }: Pick<AdminFixture, 'event' | 'guest'>, threadId: number) {
  const path = `/api/gallery/${event.slug}/threads/${threadId}/messages`
  const { body } = await guest.post(path, { text: 'Thank you again' })
  return { message_id: body.messages.at(-1).id as number }
}

async function createOwnEvent(
  service: TestService,
  world: AdminFixture,
  body: Record<string, unknown> = {},
): Promise<CreatedValues> {
  const { id } = await createEvent(service.api, { event_name: 'Fleeting', ...body })
  await assignOwner(service, world, 'events', id)
  return { event_id: id }
}

/** Creates an event with a package, whose customer has picked a photo. */
async function createRound(service: TestService, world: AdminFixture, isSubmitted = false): Promise<CreatedValues> {
  const { api } = service
  const customer_email = 'ana@example.com'
  const event = await createEvent(api, { event_name: 'Fleeting', customer_email })
  const [photo_id = 0] = await uploadPhotos(api, event.id, 1)
  const path = `/api/v1/events/${event.id}`
  await api.put(`${path}/package`, { purpose: 'Album', included: 1, locks_on_submission: false })
  const guest = await enterAsGuest(service, event)
  await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana', email: customer_email })
  await guest.post(`/api/gallery/${event.slug}/photos/${photo_id}/feedback`, { feedback_type: 'favorite' })
  if (isSubmitted) await guest.post(`/api/gallery/${event.slug}/selection`, {})
  const [{ id: round_id, selection_id }] = (await api.get(`${path}/rounds`)).body.rounds
  // Not before: a mail to an address that is not at localhost would change the selection later.
  await assignOwner(service, world, 'events', event.id)
  return { event_id: event.id, photo_id, round_id, selection_id: selection_id ?? 1 }
}

async function createOwnCustomer(service: TestService, world: AdminFixture, name = 'Fleeting'): Promise<number> {
  const customer = await createCustomer(service.admin, { name })
  await assignOwner(service, world, 'customers', customer.id)
  await service.admin.put(assignmentPath(customer, world.event), {})
  return customer.id
}

/** Writes to the database directly, because a viewer may not create events or customers. */
function assignOwner(
  service: TestService,
  { accounts }: Pick<AdminFixture, 'accounts'>,
  table: 'events' | 'customers',
  id: number,
) {
  return changeDatabase(service, (stored) => {
    stored.prepare(`update ${table} set created_by = ? where id = ?`).run(accounts.creator.id, id)
    if (table === 'customers') return
    stored.prepare('insert into event_members (event_id, user_id) values (?, ?)').run(id, accounts.member.id)
  })
}

async function createFeedback(
  { guest, event }: Pick<AdminFixture, 'guest' | 'event'>,
  photoId: number,
): Promise<number> {
  const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
  const { status, body } = await guest.post(path, { feedback_type: 'comment', comment_text: 'Lovely' })
  if (status !== 200) throw new Error(`The comment was not taken: ${JSON.stringify(body)}`)
  return body.id
}

async function createSelection(
  { admin }: TestService,
  { guest, event }: Pick<AdminFixture, 'guest' | 'event'>,
  photoId: number,
): Promise<number> {
  const path = `/api/gallery/${event.slug}`
  await guest.post(`${path}/photos/${photoId}/feedback`, { feedback_type: 'favorite' })
  const { status } = await guest.post(`${path}/selection`, {})
  if (status !== 200) throw new Error(`The selection was not taken: ${status}`)
  const { body } = await admin.get(`/api/admin/events/${event.id}/selections`)
  return body.selections[0].id
}

/** Writes the row directly, so that no mail server has to reject a mail. */
const createFailedMail = (service: TestService, eventId: number): Promise<number> =>
  changeDatabase(service, (stored) => {
    const columns = 'kind, event_id, recipient, subject, text_body, html_body, status, attempts, created_at'
    const mailValues = [
      'archive_notice',
      eventId,
      'ana@example.com',
      'Archived',
      'It is.',
      '<p>It is.',
      'failed',
      8,
      Date.now(),
    ]
    const insert = stored.prepare(`insert into mails (${columns}) values (${mailValues.map(() => '?').join(', ')})`)
    return Number(insert.run(mailValues).lastInsertRowid)
  })

async function createGuest(service: TestService, { event }: AdminFixture): Promise<string> {
  const guest = await enterAsGuest(service, event)
  return (await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana' })).body.guest.id
}

async function createToken({ admin }: Account, name = 'Fleeting'): Promise<{ token_id: number }> {
  const { body } = await admin.post('/api/admin/api-tokens', { name, scopes: ['read'] })
  return { token_id: body.id }
}

/** Creates a webhook and a test delivery to it. No server listens at the address of the webhook. */
async function createWebhook(admin: TestClient): Promise<{ webhook_id: number; delivery_id: number }> {
  const { id } = (await admin.post('/api/admin/webhooks', webhook)).body
  const { body } = await admin.post(`/api/admin/webhooks/${id}/test`, {})
  return { webhook_id: id, delivery_id: body.delivery_id }
}

async function beginUpload(admin: TestClient, eventId: number): Promise<string> {
  const init = { filename: 'large.jpg', fileSize: picture.length, totalChunks: 1 }
  const { body } = await admin.post(`/api/admin/photos/${eventId}/chunked-upload/init`, init)
  return body.uploadId
}

async function exportPicks(admin: TestClient, eventId: number): Promise<number> {
  const { headers } = await admin.get(`/api/admin/feedback/events/${eventId}/export?format=list`)
  return Number(headers.get('x-export-id'))
}

const createUser = async (admin: TestClient): Promise<number> => (await invite(admin, { role: 'viewer' })).id

type FleetingAccount = { token: string; password: string }

async function createFleetingAccount(service: TestService, role: Role): Promise<FleetingAccount> {
  const person = { ...newPerson(), role, password: 'password of a person' }
  await service.admin.post('/api/admin/users', person)
  const { token } = await createSignIn(service, person.username, person.password)
  return { token, password: person.password }
}

/** Starts the setup of a second factor and returns the code that confirms it. */
async function beginSecondFactor({ url }: TestService, { token, password }: FleetingAccount): Promise<string> {
  const { body } = await createClient(url, token).post('/api/admin/auth/mfa/setup', { password })
  return generateCode(body.secret, Date.now())
}

let types = 0

async function createEventType(admin: TestClient): Promise<{ slug_prefix: string }> {
  const slug_prefix = `fleeting-${++types}`
  await admin.post('/api/admin/event-types', { slug_prefix, name: 'Fleeting' })
  return { slug_prefix }
}
