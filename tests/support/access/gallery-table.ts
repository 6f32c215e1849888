import type { TestClient, TestResponse } from '../clients/test-client.ts'
import { jpeg } from '../media/pictures.ts'

export type GalleryTarget = { slug: string; photoId: number }

const accessKinds = [
  ...(['list', 'look', 'download', 'archive', 'chosen', 'feedback', 'mark'] as const),
  ...(['unsay', 'unnote', 'own', 'select', 'upload', 'self', 'me', 'agreed', 'reopen'] as const),
] as const
/** The kind of access that a route needs. The expected outcome depends on it. */
export type AccessKind = (typeof accessKinds)[number]

type Row = {
  route: string
  accessKind: AccessKind
  send: (client: TestClient, place: GalleryTarget) => Promise<TestResponse>
}

const base = ({ slug }: GalleryTarget) => `/api/gallery/${slug}`

/** A row whose request follows from its route. */
function row(
  accessKind: AccessKind,
  route: string,
  { query = () => '', body = () => ({}) }: Partial<Record<'query' | 'body', (place: GalleryTarget) => unknown>> = {},
): Row {
  const [method, pattern = ''] = route.split(' ')
  const send: Row['send'] = (client, place) => {
    const path = base(place) + pattern.replace(':photo_id', String(place.photoId)) + query(place)
    if (method === 'GET') return client.get(path)
    return method === 'PUT' ? client.put(path, body(place)) : client.post(path, body(place))
  }
  return { route, accessKind, send }
}

/** Every route below `/api/gallery/{slug}` except the public `info`. A test fails when a route is missing here. */
export const galleryTable: Row[] = [
  row('list', 'GET /photos'),
  row('list', 'GET /outline'),
  row('look', 'GET /thumbnail/:photo_id'),
  row('look', 'GET /photo/:photo_id'),
  row('look', 'GET /photo/:photo_id', { query: () => '?w=640' }),
  row('download', 'GET /download/:photo_id'),
  row('archive', 'GET /download-all'),
  row('chosen', 'GET /download-selected', { query: ({ photoId }) => `?ids=${photoId}` }),
  row('chosen', 'POST /download-selected', { body: ({ photoId }) => ({ photo_ids: [photoId] }) }),
  row('archive', 'GET /download-estimate'),
  row('feedback', 'GET /photos/:photo_id/feedback'),
  row('mark', 'POST /photos/:photo_id/feedback', { body: () => ({ feedback_type: 'rating', rating: 3 }) }),
  {
    route: 'DELETE /photos/:photo_id/feedback/:feedback_id',
    accessKind: 'unsay',
    send: (client, place) => deleteOwnComment(client, `${base(place)}/photos/${place.photoId}/feedback`),
  },
  row('mark', 'POST /notes', { body: ({ photoId }) => ({ text: 'Please retouch', photo_id: photoId }) }),
  row('select', 'POST /notes', { body: () => ({ text: 'Thank you' }) }),
  row('own', 'GET /notes'),
  {
    route: 'DELETE /notes/:note_id',
    accessKind: 'unnote',
    send: async (client, place) => {
      const created = await client.post(`${base(place)}/notes`, { text: 'Thank you' })
      return client.delete(`${base(place)}/notes/${created.body?.id ?? 1_000_000}`)
    },
  },
  row('feedback', 'GET /photos/:photo_id/versions'),
  {
    ...row('mark', 'PUT /photos/:photo_id/versions/1/decision', {
      body: () => ({ decision: 'approved', guest_name: 'Ana' }),
    }),
    route: 'PUT /photos/:photo_id/versions/:number/decision',
  },
  row('look', 'GET /photo/:photo_id', { query: () => '?version=1' }),
  row('feedback', 'GET /photos/:photo_id/threads'),
  row('mark', 'POST /photos/:photo_id/threads', { body: () => ({ kind: 'pin', x: 1, y: 2, text: 'Please retouch' }) }),
  row('own', 'GET /threads'),
  row('own', 'GET /live'),
  threadRow('unnote', 'GET /threads/:thread_id'),
  {
    route: 'DELETE /threads/:thread_id',
    accessKind: 'mark',
    send: async (client, place) => {
      const body = { kind: 'pin', x: 1, y: 2, text: 'Please retouch' }
      const created = await client.post(`${base(place)}/photos/${place.photoId}/threads`, body)
      return created.body?.id ? client.delete(`${base(place)}/threads/${created.body.id}`) : created
    },
  },
  threadRow('unnote', 'POST /threads/:thread_id/messages', { text: 'Thank you' }),
  threadRow('unnote', 'PUT /threads/:thread_id/state', { state: 'done' }),
  {
    route: 'DELETE /threads/:thread_id/messages/:message_id',
    accessKind: 'unnote',
    send: async (client, place) => {
      const threadPath = await startThread(client, place)
      const answered = await client.post(`${threadPath}/messages`, { text: 'Thank you' })
      return client.delete(`${threadPath}/messages/${answered.body?.messages?.[0]?.id ?? 1_000_000}`)
    },
  },
  row('own', 'GET /my-feedback'),
  row('own', 'GET /selection'),
  row('self', 'GET /round'),
  row('reopen', 'POST /round/reopening'),
  row('reopen', 'POST /first-look/notice', { body: () => ({ email: 'ana@example.com' }) }),
  ...['/receipt', '/receipt/:photo_id.jpg', '/difference'].map((part): Row => {
    const { send } = row('agreed', `GET /selections/1${part}`)
    return { route: `GET /selections/:number${part}`, accessKind: 'agreed', send }
  }),
  row('self', 'GET /feedback-settings'),
  row('self', 'GET /session'),
  row('me', 'GET /guest'),
  row('me', 'POST /guest', { body: () => ({ name: 'Ana' }) }),
  row('me', 'POST /guest/link'),
  row('select', 'POST /selection'),
  { route: 'POST /upload', accessKind: 'upload', send: upload },
  { route: 'POST /chunked-upload/init', accessKind: 'upload', send: (client, place) => initUpload(client, place, 100) },
  { route: 'POST /chunked-upload/:upload_id/chunk/:index', accessKind: 'upload', send: sendChunk },
  { route: 'POST /chunked-upload/:upload_id/complete', accessKind: 'upload', send: completeUpload },
  {
    route: 'GET /chunked-upload/:upload_id/status',
    accessKind: 'upload',
    send: async (client, place) => client.get(`${await uploadPath(client, place, 100)}/status`),
  },
  {
    route: 'DELETE /chunked-upload/:upload_id',
    accessKind: 'upload',
    send: async (client, place) => client.delete(await uploadPath(client, place, 100)),
  },
]

/** A row about a note of the caller. If the caller may not write one, about the id of none. */
function threadRow(accessKind: AccessKind, route: string, body: unknown = {}): Row {
  const [method = '', pattern = ''] = route.split(' ')
  const send: Row['send'] = async (client, place) => {
    const path = (await startThread(client, place)) + pattern.replace('/threads/:thread_id', '')
    if (method === 'GET') return client.get(path)
    return method === 'PUT' ? client.put(path, body) : client.post(path, body)
  }
  return { route, accessKind, send }
}

async function startThread(client: TestClient, place: GalleryTarget): Promise<string> {
  const created = await client.post(`${base(place)}/notes`, { text: 'Thank you' })
  return `${base(place)}/threads/${created.body?.id ?? 1_000_000}`
}

/** Creates a comment and deletes it. If the caller may not create one, tries to delete the one with the id 1. */
async function deleteOwnComment(client: TestClient, path: string): Promise<TestResponse> {
  const created = await client.post(path, { feedback_type: 'comment', comment_text: 'Lovely' })
  return client.delete(`${path}/${created.body?.id ?? 1}`)
}

async function upload(client: TestClient, place: GalleryTarget): Promise<TestResponse> {
  const body = new FormData()
  body.append('photos', new Blob([await jpeg({ seed: 5 })], { type: 'image/jpeg' }), 'guest.jpg')
  return client.call('POST', `${base(place)}/upload`, { body })
}

/** Ends the session that this client had opened before, because a guest can have only a few. */
async function initUpload(client: TestClient, place: GalleryTarget, fileSize: number): Promise<TestResponse> {
  const path = `${base(place)}/chunked-upload`
  const earlierId = openedUploads.get(client)
  if (earlierId) await client.delete(`${path}/${earlierId}`)
  const opened = await client.post(`${path}/init`, { filename: 'guest.jpg', fileSize })
  openedUploads.set(client, opened.body?.uploadId)
  return opened
}

const openedUploads = new WeakMap<TestClient, string | undefined>()

/** Opens an upload session and returns its path. If the caller may not open one, the path has an unknown id. */
async function uploadPath(client: TestClient, place: GalleryTarget, fileSize: number): Promise<string> {
  const { body } = await initUpload(client, place, fileSize)
  return `${base(place)}/chunked-upload/${body?.uploadId ?? 'nothing'}`
}

async function sendChunk(client: TestClient, place: GalleryTarget): Promise<TestResponse> {
  const path = await uploadPath(client, place, 100)
  const headers = { 'content-type': 'application/octet-stream' }
  return client.call('POST', `${path}/chunk/0`, { headers, body: Buffer.alloc(100) })
}

async function completeUpload(client: TestClient, place: GalleryTarget): Promise<TestResponse> {
  const body = await jpeg({ seed: 6 })
  const path = await uploadPath(client, place, body.length)
  await client.call('POST', `${path}/chunk/0`, { headers: { 'content-type': 'application/octet-stream' }, body })
  return client.post(`${path}/complete`, {})
}

export type Outcome = 'ok' | `${number} ${string}`

const notFound = '404 NOT_FOUND'
const allOutcomes = (outcome: Outcome) =>
  Object.fromEntries(accessKinds.map((kind) => [kind, outcome])) as Record<AccessKind, Outcome>

/** Nobody has a selection of a round here. */
const open = { ...allOutcomes('ok'), agreed: notFound, reopen: '409 INVALID_STATE' } as const
const missingPhotoOutcomes = {
  look: notFound,
  download: notFound,
  chosen: '400 INVALID_PHOTO_IDS',
  feedback: notFound,
  mark: notFound,
  unsay: notFound,
} as const

export const guestOutcomes = {
  live: open,
  'a hidden photo': { ...open, ...missingPhotoOutcomes },
  'a photo of another gallery': { ...open, ...missingPhotoOutcomes },
  'a deleted photo': { ...open, ...missingPhotoOutcomes },
  'before the reveal': {
    ...open,
    ...missingPhotoOutcomes,
    archive: notFound,
    chosen: notFound,
    own: notFound,
    select: notFound,
    unnote: notFound,
    reopen: notFound,
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
  'feedback switched off': {
    ...open,
    mark: '403 FEEDBACK_DISABLED',
    unsay: notFound,
    unnote: notFound,
    select: '403 FEEDBACK_DISABLED',
  },
  'guest uploads switched off': { ...open, upload: '403 UPLOADS_DISABLED' },
  draft: allOutcomes(notFound),
  archived: allOutcomes(notFound),
  expired: allOutcomes('410 GALLERY_EXPIRED'),
  'never was': allOutcomes(notFound),
} as const satisfies Record<string, Record<AccessKind, Outcome>>

export type State = keyof typeof guestOutcomes
export const states = Object.keys(guestOutcomes) as State[]

/** Outcomes for the owner of the event in most states. The owner sees all photos but cannot act as a guest. */
const owner: Record<AccessKind, Outcome> = {
  ...open,
  mark: '403 FORBIDDEN',
  unsay: '403 FORBIDDEN',
  unnote: '403 FORBIDDEN',
  me: '403 FORBIDDEN',
  select: '403 FORBIDDEN',
  reopen: '403 FORBIDDEN',
  upload: '403 FORBIDDEN',
}

export const ownerOutcomes: Record<State, Record<AccessKind, Outcome>> = {
  ...(Object.fromEntries(states.map((state) => [state, owner])) as Record<State, Record<AccessKind, Outcome>>),
  'a photo of another gallery': { ...owner, ...missingPhotoOutcomes },
  'a deleted photo': { ...owner, ...missingPhotoOutcomes },
  archived: { ...owner, download: '409 EVENT_ARCHIVED', archive: '409 EVENT_ARCHIVED', chosen: '409 EVENT_ARCHIVED' },
  'never was': allOutcomes(notFound),
}

/** Callers who are rejected in every state of the event, with the outcome in a state where guests are allowed. */
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
