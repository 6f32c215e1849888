import { jpeg } from './pictures.ts'
import type { Answer, TestClient } from './test-client.ts'

export type Place = { slug: string; photoId: number }

/** The kind of access that a route needs. The expected outcome depends on it. */
export type AccessKind =
  | 'list'
  | 'look'
  | 'download'
  | 'archive'
  | 'chosen'
  | 'feedback'
  | 'mark'
  | 'unsay'
  | 'own'
  | 'select'
  | 'upload'
  | 'self'
  | 'me'

type Row = {
  route: string
  wish: AccessKind
  send: (client: TestClient, place: Place) => Promise<Answer>
}

const base = ({ slug }: Place) => `/api/gallery/${slug}`
const get = (path: (place: Place) => string) => (client: TestClient, place: Place) =>
  client.get(base(place) + path(place))
const post =
  (path: (place: Place) => string, body: (place: Place) => unknown = () => ({})) =>
  (client: TestClient, place: Place) =>
    client.post(base(place) + path(place), body(place))

/** Every route below `/api/gallery/{slug}` except the public `info`. A test fails when a route is missing here. */
export const galleryTable: Row[] = [
  { route: 'GET /photos', wish: 'list', send: get(() => '/photos') },
  { route: 'GET /outline', wish: 'list', send: get(() => '/outline') },
  { route: 'GET /thumbnail/:photo_id', wish: 'look', send: get(({ photoId }) => `/thumbnail/${photoId}`) },
  { route: 'GET /photo/:photo_id', wish: 'look', send: get(({ photoId }) => `/photo/${photoId}`) },
  { route: 'GET /photo/:photo_id', wish: 'look', send: get(({ photoId }) => `/photo/${photoId}?w=640`) },
  { route: 'GET /download/:photo_id', wish: 'download', send: get(({ photoId }) => `/download/${photoId}`) },
  { route: 'GET /download-all', wish: 'archive', send: get(() => '/download-all') },
  {
    route: 'GET /download-selected',
    wish: 'chosen',
    send: get(({ photoId }) => `/download-selected?ids=${photoId}`),
  },
  {
    route: 'POST /download-selected',
    wish: 'chosen',
    send: post(
      () => '/download-selected',
      ({ photoId }) => ({ photo_ids: [photoId] }),
    ),
  },
  { route: 'GET /download-estimate', wish: 'archive', send: get(() => '/download-estimate') },
  {
    route: 'GET /photos/:photo_id/feedback',
    wish: 'feedback',
    send: get(({ photoId }) => `/photos/${photoId}/feedback`),
  },
  {
    route: 'POST /photos/:photo_id/feedback',
    wish: 'mark',
    send: post(
      ({ photoId }) => `/photos/${photoId}/feedback`,
      () => ({ feedback_type: 'rating', rating: 3 }),
    ),
  },
  {
    route: 'DELETE /photos/:photo_id/feedback/:feedback_id',
    wish: 'unsay',
    send: (client, place) => takeBackComment(client, `${base(place)}/photos/${place.photoId}/feedback`),
  },
  { route: 'GET /my-feedback', wish: 'own', send: get(() => '/my-feedback') },
  { route: 'GET /selection', wish: 'own', send: get(() => '/selection') },
  { route: 'GET /feedback-settings', wish: 'self', send: get(() => '/feedback-settings') },
  { route: 'GET /session', wish: 'self', send: get(() => '/session') },
  { route: 'GET /guest', wish: 'me', send: get(() => '/guest') },
  {
    route: 'POST /guest',
    wish: 'me',
    send: post(
      () => '/guest',
      () => ({ name: 'Ana' }),
    ),
  },
  { route: 'POST /guest/link', wish: 'me', send: post(() => '/guest/link') },
  { route: 'POST /selection', wish: 'select', send: post(() => '/selection') },
  { route: 'POST /upload', wish: 'upload', send: upload },
  { route: 'POST /chunked-upload/init', wish: 'upload', send: (client, place) => initUpload(client, place, 100) },
  { route: 'POST /chunked-upload/:upload_id/chunk/:index', wish: 'upload', send: sendChunk },
  { route: 'POST /chunked-upload/:upload_id/complete', wish: 'upload', send: completeUpload },
  {
    route: 'GET /chunked-upload/:upload_id/status',
    wish: 'upload',
    send: async (client, place) => client.get(`${await uploadPath(client, place, 100)}/status`),
  },
  {
    route: 'DELETE /chunked-upload/:upload_id',
    wish: 'upload',
    send: async (client, place) => client.delete(await uploadPath(client, place, 100)),
  },
]

/** Deletes a comment that it creates first, if the caller may create one. */
async function takeBackComment(client: TestClient, path: string): Promise<Answer> {
  const given = await client.post(path, { feedback_type: 'comment', comment_text: 'Lovely' })
  return client.delete(`${path}/${given.body?.id ?? 1}`)
}

async function upload(client: TestClient, place: Place): Promise<Answer> {
  const body = new FormData()
  body.append('photos', new Blob([await jpeg({ seed: 5 })], { type: 'image/jpeg' }), 'guest.jpg')
  return client.call('POST', `${base(place)}/upload`, { body })
}

const initUpload = (client: TestClient, place: Place, fileSize: number): Promise<Answer> =>
  client.post(`${base(place)}/chunked-upload/init`, { filename: 'guest.jpg', fileSize })

/** Returns the path of a session that it opens first, if the caller may open one. */
async function uploadPath(client: TestClient, place: Place, fileSize: number): Promise<string> {
  const { body } = await initUpload(client, place, fileSize)
  return `${base(place)}/chunked-upload/${body?.uploadId ?? 'nothing'}`
}

async function sendChunk(client: TestClient, place: Place): Promise<Answer> {
  const path = await uploadPath(client, place, 100)
  const headers = { 'content-type': 'application/octet-stream' }
  return client.call('POST', `${path}/chunk/0`, { headers, body: Buffer.alloc(100) })
}

async function completeUpload(client: TestClient, place: Place): Promise<Answer> {
  const body = await jpeg({ seed: 6 })
  const path = await uploadPath(client, place, body.length)
  await client.call('POST', `${path}/chunk/0`, { headers: { 'content-type': 'application/octet-stream' }, body })
  return client.post(`${path}/complete`, {})
}

export type Outcome = 'ok' | `${number} ${string}`

const notFound = '404 NOT_FOUND'
const allOf = (outcome: Outcome): Record<AccessKind, Outcome> => ({
  list: outcome,
  look: outcome,
  download: outcome,
  archive: outcome,
  chosen: outcome,
  feedback: outcome,
  mark: outcome,
  unsay: outcome,
  own: outcome,
  select: outcome,
  upload: outcome,
  self: outcome,
  me: outcome,
})

const open = allOf('ok')
const notOfThisGallery = {
  look: notFound,
  download: notFound,
  chosen: '404 NO_PHOTOS',
  feedback: notFound,
  mark: notFound,
  unsay: notFound,
} as const

export const guestTable = {
  live: open,
  'a hidden photo': { ...open, ...notOfThisGallery },
  'a photo of another gallery': { ...open, ...notOfThisGallery },
  'a deleted photo': { ...open, ...notOfThisGallery },
  'before the reveal': {
    ...open,
    ...notOfThisGallery,
    archive: notFound,
    chosen: notFound,
    own: notFound,
    select: notFound,
  },
  'downloads switched off': {
    ...open,
    download: '403 DOWNLOAD_DISABLED',
    archive: '403 DOWNLOAD_DISABLED',
    chosen: '403 DOWNLOAD_DISABLED',
  },
  'a category that opts out of downloads': {
    ...open,
    download: '403 DOWNLOAD_DISABLED',
    chosen: '403 DOWNLOAD_DISABLED',
  },
  'feedback switched off': { ...open, mark: '403 FEEDBACK_DISABLED', unsay: notFound, select: '403 FEEDBACK_DISABLED' },
  'guest uploads switched off': { ...open, upload: '403 UPLOADS_DISABLED' },
  draft: allOf(notFound),
  archived: allOf(notFound),
  expired: allOf('410 GALLERY_EXPIRED'),
  'never was': allOf(notFound),
} as const satisfies Record<string, Record<AccessKind, Outcome>>

export type State = keyof typeof guestTable
export const states = Object.keys(guestTable) as State[]

/** An owner sees everything in every state, but cannot act as a guest. */
const owner: Record<AccessKind, Outcome> = {
  ...open,
  mark: '403 FORBIDDEN',
  unsay: '403 FORBIDDEN',
  me: '403 FORBIDDEN',
  select: '403 FORBIDDEN',
  upload: '403 FORBIDDEN',
}

export const ownerTable: Record<State, Record<AccessKind, Outcome>> = {
  ...(Object.fromEntries(states.map((state) => [state, owner])) as Record<State, Record<AccessKind, Outcome>>),
  'a photo of another gallery': { ...owner, ...notOfThisGallery },
  'a deleted photo': { ...owner, ...notOfThisGallery },
  archived: { ...owner, download: '409 EVENT_ARCHIVED', archive: '409 EVENT_ARCHIVED', chosen: '409 EVENT_ARCHIVED' },
  'never was': allOf(notFound),
}

/** Callers who are rejected in every state, with the outcome where the state itself allows the request. */
export const rejectedCallers = {
  nobody: '401 NO_TOKEN',
  'a broken token': '401 INVALID_TOKEN',
  'a guest who has left': '401 TOKEN_REVOKED',
  'a guest of before the password change': '401 TOKEN_REVOKED',
  'a guest of another gallery': '403 FORBIDDEN',
  'an admin who does not own the event': '403 FORBIDDEN',
  'an API token of the owner': '401 INVALID_TOKEN',
  'the session of a customer': '401 INVALID_TOKEN',
  'a customer who is no longer assigned': '403 CUSTOMER_ASSIGNMENT_REVOKED',
} as const satisfies Record<string, Outcome>

export type RejectedCaller = keyof typeof rejectedCallers
