import type { TestClient } from '../clients/test-client.ts'
import { jpeg } from '../media/pictures.ts'

/** Values for the paths and bodies of requests. */
export type RequestValues = {
  event_id: number
  photo_id: number
  feedback_id: number
  note_id: number
  thread_id: number
  message_id: number
  selection_id: number
  round_id: number
  category_id: number
  customer_id: number
  mail_id: number
  token_id: number
  webhook_id: number
  delivery_id: number
  /** Likes of one hour, by a guest of the event. */
  act_id: string
  /** Belongs to the caller. */
  export_id: number
  /** Belongs to the caller. */
  upload_id: string
  index: number
  /** Of a version. */
  number: number
  user_id: number
  /** An account that is a member of the event. */
  colleague_id: number
  slug_prefix: string
  group: string
  guests: [string, string]
  guest_id: string
  password: string
  /** A name that is unique to this set of test data. */
  uniqueName: string
  code: string
  letter: string
  language: string
}

/** `ok`, or the status and problem code of a rejection. */
export type Outcome = 'ok' | `${number} ${string}`

/**
 * The data of a route, which decides who may call it. `event`: an event, for its creator, its members and super_admins.
 * `creator`: the same without the members. `upload`: the caller's own upload session. `customer`: a customer, for the
 * account that created it and super_admins (403 for other accounts that see the customer, 404 for the rest). `account`:
 * the caller's account. `instance`: data that all accounts share.
 */
export type RouteSubject = 'event' | 'creator' | 'upload' | 'customer' | 'account' | 'instance'

/**
 * What is created before each call, because a successful call changes or deletes it, or because it must belong to the
 * caller.
 */
export type Consumable =
  | 'answer'
  | 'event'
  | 'event with a first look'
  | 'draft'
  | 'archived event'
  | 'trashed event'
  | 'photo'
  | 'trashed photo'
  | 'replaced photo'
  | 'photo with versions'
  | 'feedback'
  | 'category'
  | 'event with one category'
  | 'customer'
  | 'guests'
  | 'guest'
  | 'export'
  | 'failed mail'
  | 'upload'
  | 'received upload'
  | 'token'
  | 'webhook'
  | 'account'
  | 'second factor'
  | 'unconfirmed factor'
  | 'event type'
  | 'user'
  | 'deactivated user'
  | 'idle repair'
  | 'open round'
  | 'submitted round'

export type AdminRequest = {
  /** Status of a successful call. Default: 200. */
  status?: number
  query?: string
  body?: (values: RequestValues) => unknown
  /** Default: derived from the parameters of the path. */
  subject?: RouteSubject
  isOpenBeforePasswordChange?: true
  /** Set for a list that contains only entries of the caller's events or account. */
  listScope?: 'event' | 'account'
  /** Ids of the body that must belong to the same event, with the expected outcome for an id of another event. */
  checkedIds?: Partial<Record<keyof RequestValues, Outcome>>
  consumes?: Consumable
  /** What a job of the service does later because of a successful call: it ends expired events. */
  causes?: 'expiry'
}

export const picture = await jpeg({ seed: 7 })

/** No server listens at this address. The service sends only manual test deliveries to it. */
export const webhook = { name: 'Nobody', url: 'http://127.0.0.1:2/', events: ['event.expired'] }

const letterText = { subject: 'Ready', text: '{link}' }
const withPassword = ({ password }: RequestValues) => ({ password })
const photoIds = ({ photo_id }: RequestValues) => ({ photoIds: [photo_id] })
const withName = (name: string) => () => ({ name })
let counter = 0
const unique = (word: string) => `${word}-${++counter}`

const eventUpdate: AdminRequest = {
  checkedIds: { photo_id: '400 VALIDATION_ERROR', category_id: '400 INVALID_CATEGORY' },
  body: ({ photo_id, category_id, uniqueName }) => ({
    event_name: unique(uniqueName),
    cover_photo_id: photo_id,
    upload_category_id: category_id,
  }),
}

/** The request for each route. The permission and the subject of a route decide who may call it. */
export const adminRequests: Record<string, AdminRequest> = {
  'POST /api/admin/auth/change-password': {
    consumes: 'account',
    isOpenBeforePasswordChange: true,
    body: ({ password }) => ({ currentPassword: password, newPassword: 'a much better one' }),
  },
  'GET /api/admin/auth/mfa': {},
  'POST /api/admin/auth/mfa/setup': { consumes: 'account', body: withPassword },
  'POST /api/admin/auth/mfa/confirm': { consumes: 'unconfirmed factor', body: ({ code }) => ({ code }) },
  'POST /api/admin/auth/mfa/recovery-codes': { consumes: 'second factor', body: withPassword },
  'POST /api/admin/auth/mfa/disable': { consumes: 'second factor', body: withPassword },
  'GET /api/admin/openapi.json': {},
  'GET /api/admin/api-tokens': { listScope: 'account' },
  'POST /api/admin/api-tokens': { status: 201, body: () => ({ name: 'import', scopes: ['read'] }) },
  'DELETE /api/admin/api-tokens/:token_id': { consumes: 'token' },
  'GET /api/admin/settings': {},
  'PUT /api/admin/settings': { body: () => ({ general_default_language: 'en' }) },
  'PUT /api/admin/settings/:group': { body: () => ({ general_default_language: 'en' }) },
  'GET /api/admin/branding': {},
  'PUT /api/admin/branding': { body: () => ({ studio_name: 'Studio' }) },
  'GET /api/admin/users': {},
  'POST /api/admin/users': {
    status: 201,
    body: () => ({ username: unique('new'), email: `${unique('new')}@example.com`, role: 'viewer' }),
  },
  'PATCH /api/admin/users/:user_id': { body: () => ({ username: unique('renamed') }) },
  'POST /api/admin/users/:user_id/deactivate': { consumes: 'user' },
  'POST /api/admin/users/:user_id/reset-password': { consumes: 'user' },
  'POST /api/admin/users/:user_id/remove-second-factor': {},
  'GET /api/admin/users/api-tokens': {},
  'DELETE /api/admin/users/api-tokens/:token_id': { consumes: 'token', subject: 'instance' },
  'POST /api/admin/users/:user_id/revoke-tokens': {},
  'POST /api/admin/users/:user_id/hand-over': {
    consumes: 'deactivated user',
    body: ({ colleague_id }) => ({ to_user_id: colleague_id }),
  },
  'GET /api/admin/roles': {},
  'POST /api/admin/events': {
    status: 201,
    body: () => ({ event_type: 'other', event_name: 'New', require_password: false }),
  },
  'GET /api/admin/events': { listScope: 'event', query: '?limit=100' },
  'GET /api/admin/events/:event_id': {},
  'PATCH /api/admin/events/:event_id': eventUpdate,
  'PUT /api/admin/events/:event_id': eventUpdate,
  'DELETE /api/admin/events/:event_id': { consumes: 'event' },
  'POST /api/admin/events/:event_id/publish': { consumes: 'draft' },
  'POST /api/admin/events/:event_id/archive': { consumes: 'event' },
  'POST /api/admin/events/:event_id/restore': { consumes: 'archived event' },
  'GET /api/admin/events/:event_id/share-link': {},
  'POST /api/admin/events/:event_id/duplicate': { status: 201 },
  'POST /api/admin/events/:event_id/reset-password': { consumes: 'event' },
  'POST /api/admin/events/:event_id/reveal-password': {},
  'POST /api/admin/events/:event_id/renew-link': { consumes: 'event' },
  'POST /api/admin/events/:event_id/close': { consumes: 'event', causes: 'expiry' },
  'POST /api/admin/events/:event_id/trash': { consumes: 'event' },
  'GET /api/admin/trashed-events': {},
  'POST /api/admin/trashed-events/:event_id/restore': { consumes: 'trashed event' },
  'DELETE /api/admin/trashed-events/:event_id': { consumes: 'trashed event' },
  'DELETE /api/admin/trashed-events': {},
  'GET /api/admin/event-defaults': {},
  'GET /api/admin/events/:event_id/members': {},
  'PUT /api/admin/events/:event_id/members': {
    subject: 'creator',
    body: ({ colleague_id }) => ({ user_ids: [colleague_id] }),
  },
  'POST /api/admin/events/:event_id/resend-email': { body: () => ({}) },
  'GET /api/admin/events/:event_id/gallery-email': {},
  'GET /api/admin/events/:event_id/guests': {},
  'POST /api/admin/events/:event_id/guests/merge': {
    consumes: 'guests',
    body: ({ guests: [from, into] }) => ({ from, into }),
  },
  'DELETE /api/admin/events/:event_id/guests/:guest_id': { consumes: 'guest' },
  'POST /api/admin/events/:event_id/guests/:guest_id/link': { consumes: 'guest' },
  'GET /api/admin/events/:event_id/selections': {},
  'GET /api/admin/events/:event_id/live': {},
  'GET /api/admin/letters': {},
  'PUT /api/admin/letters/:letter/:language': { body: () => letterText },
  'DELETE /api/admin/letters/:letter/:language': {},
  'GET /api/admin/letters/:letter/:language/html': {},
  'GET /api/admin/events/:event_id/letters': {},
  'PUT /api/admin/events/:event_id/letters/:letter/:language': { body: () => letterText },
  'DELETE /api/admin/events/:event_id/letters/:letter/:language': {},
  'GET /api/admin/events/:event_id/letters/:letter/:language/html': {},
  'GET /api/admin/mail/outbox': { listScope: 'event', query: '?limit=100' },
  'GET /api/admin/mail/outbox/:mail_id/html': {},
  'POST /api/admin/mail/outbox/:mail_id/retry': { consumes: 'failed mail' },
  'POST /api/admin/mail/test': {},
  'GET /api/admin/mail/server': {},
  'PUT /api/admin/mail/server': { body: () => ({ sender: 'studio@example.com' }) },
  'POST /api/admin/mail/server/test': { body: () => ({ to: 'ana@example.com' }) },
  'GET /api/admin/public-address': {},
  'PUT /api/admin/public-address': { body: () => ({ url: null }) },
  'GET /api/admin/health': {},
  'GET /api/admin/health/proxy': {},
  'POST /api/admin/health/proxy/body': { body: () => picture },
  'GET /api/admin/health/proxy/range': {},
  'GET /api/admin/health/proxy/stream': {},
  'GET /api/admin/dashboard': { listScope: 'event' },
  'GET /api/admin/activity': { listScope: 'event', query: '?limit=100' },
  'GET /api/admin/activity/acts': { listScope: 'event', query: '?limit=100&by=accounts' },
  'GET /api/admin/activity/acts/:act_id': { subject: 'event' },
  'GET /api/admin/event-types': {},
  'POST /api/admin/event-types': { status: 201, body: () => ({ slug_prefix: unique('new'), name: 'New' }) },
  'PUT /api/admin/event-types/:slug_prefix': { body: withName('Renamed') },
  'DELETE /api/admin/event-types/:slug_prefix': { consumes: 'event type' },
  'GET /api/admin/categories/global': {},
  'GET /api/admin/categories/event/:event_id': {},
  'POST /api/admin/categories': {
    status: 201,
    subject: 'event',
    body: ({ event_id }) => ({ name: unique('Dance'), event_id }),
  },
  'PUT /api/admin/categories/event/:event_id/order': {
    consumes: 'event with one category',
    checkedIds: { category_id: '409 INVALID_STATE' },
    body: ({ category_id }) => ({ category_ids: [category_id] }),
  },
  'PUT /api/admin/categories/:category_id': { body: withName('Renamed') },
  'DELETE /api/admin/categories/:category_id': { consumes: 'category' },
  'GET /api/admin/photos/:event_id/photos': {},
  'GET /api/admin/photos/:event_id/photo-ids': {},
  'GET /api/admin/photos/:event_id/download': {},
  'POST /api/admin/photos/:event_id/known': { body: () => ({ hashes: ['0'.repeat(64)] }) },
  'POST /api/admin/photos/:event_id/photos/bulk-update': {
    checkedIds: { category_id: '400 INVALID_CATEGORY' },
    body: ({ photo_id, category_id }) => ({ photoIds: [photo_id], updates: { category_id } }),
  },
  'POST /api/admin/photos/:event_id/photos/bulk-delete': {
    consumes: 'photo',
    body: ({ photo_id }) => ({ photoIds: [photo_id] }),
  },
  'POST /api/admin/photos/:event_id/trash': { consumes: 'photo', body: photoIds },
  'GET /api/admin/photos/:event_id/trash': {},
  'GET /api/admin/photos/:event_id/trash/:photo_id/thumbnail': { consumes: 'trashed photo' },
  'POST /api/admin/photos/:event_id/trash/bulk-restore': { consumes: 'trashed photo', body: photoIds },
  'POST /api/admin/photos/:event_id/trash/bulk-delete': { consumes: 'trashed photo', body: photoIds },
  'DELETE /api/admin/photos/:event_id/trash': {},
  'PUT /api/admin/photos/:event_id/order': {
    body: ({ photo_id }) => ({ photoIds: [999_999], place: 'before', photo_id }),
  },
  'GET /api/admin/photos/:event_id/thumbnail/:photo_id': {},
  'GET /api/admin/photos/:event_id/preview/:photo_id': {},
  'GET /api/admin/photos/:event_id/photos/:photo_id/download': {},
  'GET /api/admin/photos/:event_id/photo/:photo_id': {},
  'GET /api/admin/photos/:event_id/photos/:photo_id/camera': {},
  'PATCH /api/admin/photos/:event_id/photos/:photo_id': {
    checkedIds: { category_id: '400 INVALID_CATEGORY' },
    body: ({ category_id }) => ({ visibility: 'visible', category_id }),
  },
  'PUT /api/admin/photos/:event_id/photos/:photo_id/mark': { body: () => ({ rating: 4, color_label: 'green' }) },
  'DELETE /api/admin/photos/:event_id/photos/:photo_id': { consumes: 'photo' },
  'POST /api/admin/photos/:event_id/chunked-upload/init': {
    body: () => ({ filename: 'large.jpg', fileSize: picture.length, totalChunks: 1 }),
  },
  'POST /api/admin/photos/:event_id/chunked-upload/:upload_id/chunk/:index': {
    consumes: 'upload',
    body: () => picture,
  },
  'GET /api/admin/photos/:event_id/chunked-upload/:upload_id/status': { consumes: 'upload' },
  'POST /api/admin/photos/:event_id/chunked-upload/:upload_id/complete': {
    consumes: 'received upload',
    checkedIds: { category_id: '400 INVALID_CATEGORY' },
    body: ({ category_id }) => ({ category_id }),
  },
  'DELETE /api/admin/photos/:event_id/chunked-upload/:upload_id': { consumes: 'upload' },
  'POST /api/admin/photos/:event_id/upload': { status: 201, body: () => createForm('photos') },
  'POST /api/admin/photos/:event_id/photos/:photo_id/replace': { body: () => createForm('photo') },
  'GET /api/admin/photos/:event_id/photos/:photo_id/earlier-files': {},
  'POST /api/admin/photos/:event_id/photos/:photo_id/undo-replacement': { consumes: 'replaced photo' },
  'POST /api/admin/photos/repair-dimensions': { consumes: 'idle repair' },
  'GET /api/admin/photos/repair-dimensions/status': {},
  'GET /api/admin/feedback/events/:event_id': {},
  'GET /api/admin/feedback/events/:event_id/picks': {},
  'GET /api/admin/feedback/events/:event_id/notes': {},
  'PUT /api/admin/feedback/selections/:selection_id/done': {},
  'PUT /api/admin/feedback/selections/:selection_id/open': {},
  'PUT /api/admin/feedback/notes/:note_id/done': {},
  'PUT /api/admin/feedback/notes/:note_id/open': {},
  'GET /api/admin/events/:event_id/first-look': {},
  'PUT /api/admin/events/:event_id/first-look': {
    consumes: 'event',
    body: () => ({ about_count: 80, complete_on: '2031-07-12' }),
  },
  'DELETE /api/admin/events/:event_id/first-look': { consumes: 'event' },
  'POST /api/admin/events/:event_id/first-look/complete': { consumes: 'event with a first look' },
  'GET /api/admin/events/:event_id/package': {},
  'PUT /api/admin/events/:event_id/package': { consumes: 'event', body: () => ({ purpose: 'Album', included: 20 }) },
  'DELETE /api/admin/events/:event_id/package': { consumes: 'event' },
  'GET /api/admin/events/:event_id/rounds': {},
  'POST /api/admin/events/:event_id/rounds/:round_id/accept': { consumes: 'submitted round' },
  'POST /api/admin/events/:event_id/rounds/:round_id/reopen': {
    consumes: 'submitted round',
    body: () => ({ message: 'Please choose 20' }),
  },
  'POST /api/admin/events/:event_id/rounds/:round_id/remind': { consumes: 'open round' },
  'GET /api/admin/events/:event_id/selections/:selection_id': {},
  'GET /api/admin/events/:event_id/selections/:selection_id/receipt': { consumes: 'submitted round' },
  'GET /api/admin/events/:event_id/selections/:selection_id/receipt/:photo_id.jpg': { consumes: 'submitted round' },
  'GET /api/admin/events/:event_id/selections/:selection_id/difference': { consumes: 'submitted round' },
  'GET /api/admin/events/:event_id/photos/:photo_id/versions': {},
  'POST /api/admin/events/:event_id/photos/:photo_id/versions': {
    consumes: 'photo with versions',
    status: 201,
    body: () => createForm('photo'),
  },
  'DELETE /api/admin/events/:event_id/photos/:photo_id/versions/:number': { consumes: 'photo with versions' },
  'GET /api/admin/events/:event_id/versions': {},
  'DELETE /api/admin/events/:event_id/versions': { consumes: 'photo with versions' },
  'GET /api/admin/events/:event_id/decisions': {},
  'GET /api/admin/events/:event_id/threads': {},
  'GET /api/admin/events/:event_id/threads/:thread_id': {},
  'POST /api/admin/events/:event_id/threads/:thread_id/messages': { body: () => ({ text: 'Will do' }) },
  'PUT /api/admin/events/:event_id/threads/:thread_id/state': { body: () => ({ state: 'done' }) },
  'PUT /api/admin/events/:event_id/threads/:thread_id/messages/:message_id/approve': {},
  'PUT /api/admin/events/:event_id/threads/:thread_id/messages/:message_id/hide': {},
  'DELETE /api/admin/events/:event_id/threads/:thread_id/messages/:message_id': { consumes: 'answer' },
  'PUT /api/admin/feedback/:feedback_id/approve': {},
  'PUT /api/admin/feedback/:feedback_id/hide': {},
  'DELETE /api/admin/feedback/:feedback_id': { consumes: 'feedback' },
  'GET /api/admin/feedback/events/:event_id/feedback-settings': {},
  'PUT /api/admin/feedback/events/:event_id/feedback-settings': { body: () => ({ allow_likes: ++counter % 2 === 0 }) },
  'GET /api/admin/feedback/events/:event_id/export': { query: '?format=csv' },
  'POST /api/admin/feedback/events/:event_id/export/sidecars': { body: () => createForm('sidecars') },
  'GET /api/admin/feedback/events/:event_id/exports': {},
  'GET /api/admin/feedback/events/:event_id/exports/:export_id/changes': { consumes: 'export' },
  'GET /api/admin/customers': { listScope: 'event', query: '?limit=100' },
  'POST /api/admin/customers': {
    status: 201,
    body: () => ({ name: 'Ben', email: `${unique('ben')}@example.com` }),
  },
  'PATCH /api/admin/customers/:customer_id': { body: withName('Renamed') },
  'DELETE /api/admin/customers/:customer_id': { consumes: 'customer' },
  'PUT /api/admin/customers/:customer_id/events/:event_id': {},
  'DELETE /api/admin/customers/:customer_id/events/:event_id': { consumes: 'customer' },
  'GET /api/admin/webhooks': {},
  'GET /api/admin/webhooks/event-types': {},
  'POST /api/admin/webhooks': { status: 201, body: () => webhook },
  'POST /api/admin/webhooks/preview': { body: () => ({ event_type: 'photo.uploaded' }) },
  'GET /api/admin/webhooks/:webhook_id': {},
  'PUT /api/admin/webhooks/:webhook_id': { body: withName('Renamed') },
  'DELETE /api/admin/webhooks/:webhook_id': { consumes: 'webhook' },
  'POST /api/admin/webhooks/:webhook_id/test': { status: 202 },
  'GET /api/admin/webhooks/:webhook_id/deliveries': {},
  'GET /api/admin/webhooks/:webhook_id/deliveries/:delivery_id': {},
  'POST /api/admin/webhooks/:webhook_id/deliveries/:delivery_id/replay': { status: 202 },
}

function createForm(field: string): FormData {
  const form = new FormData()
  form.append(field, new Blob([picture], { type: 'image/jpeg' }), 'new.jpg')
  return form
}

export async function sendAdminRequest(
  client: TestClient,
  { route, query = '', body: createBody, status = 200 }: AdminRequest & { route: string },
  values: RequestValues,
  headers: Record<string, string>,
) {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, name) => String(values[name as keyof RequestValues]))
  const { type, body } = encodeBody(createBody?.(values))
  const response = await client.call(method, path + query, {
    headers: { ...headers, ...(type && { 'content-type': type }) },
    ...(body && { body }),
  })
  return { ...response, outcome: response.status === status ? 'ok' : `${response.status} ${response.body?.code}` }
}

function encodeBody(body: unknown): { type?: string; body?: BodyInit } {
  if (body === undefined) return {}
  if (body instanceof FormData) return { body }
  if (body instanceof Uint8Array) return { type: 'application/octet-stream', body: body as Uint8Array<ArrayBuffer> }
  return { type: 'application/json', body: JSON.stringify(body) }
}
