import type { Client } from 'openapi-fetch'
import { createCalls } from './calls.ts'
import { type ConnectionOptions, connect } from './connection.ts'
import type { components, paths } from './public-api.ts'
import { type UploadOptions, uploadFile } from './upload.ts'

export type ProofroomOptions = ConnectionOptions & {
  /** An API token, `prf_live_…`. */
  token: string
}

export type Photo = components['schemas']['Photo']
export type Event = components['schemas']['Event']
export type ReplacedPhoto = Pick<Photo, 'id' | 'filename' | 'original_filename' | 'source_filename'>

export type Proofroom = ReturnType<typeof createProofroom>

/** The public API of an instance, `/api/v1`. All methods throw ProofroomError. */
export function createProofroom({ token, ...options }: ProofroomOptions) {
  const headers = { ...options.headers, authorization: `Bearer ${token}` }
  const { api, send } = connect<paths>({ ...options, headers })
  const { call, list, download } = createCalls<paths>(send)
  const event = '/api/v1/events/{event_id}'
  const photo = `${event}/photos/{photo_id}` as const
  const customer = '/api/v1/customers/{customer_id}'
  const webhook = '/api/v1/webhooks/{webhook_id}'

  return {
    /** For calls that have no method here. It does not repeat calls, and does not throw. */
    api: api as Client<paths>,

    /** The account and the scope of the token. */
    me: call('GET', '/api/v1/me', 'none'),

    events: {
      list: list('/api/v1/events', 'events'),
      create: call('POST', '/api/v1/events', 'body', 'keyed'),
      get: call('GET', event, 'none'),
      update: call('PATCH', event, 'body'),
      publish: call('POST', `${event}/publish`, 'none'),
      archive: call('POST', `${event}/archive`, 'none'),
      restore: call('POST', `${event}/restore`, 'none'),
      shareLink: call('GET', `${event}/share-link`, 'none'),
      /** Deletes the event with its photos, for good. */
      delete: call('DELETE', event, 'none'),
      types: call('GET', '/api/v1/event-types', 'none'),
      /** Addresses of pictures for websites, if the event allows them. */
      pictureAddresses: list(`${event}/picture-addresses`, 'pictures'),
    },

    photos: {
      list: list(`${event}/photos`, 'photos'),
      get: call('GET', photo, 'none'),
      update: call('PATCH', photo, 'body'),
      updateMany: call('POST', `${event}/photos/bulk-update`, 'body', 'idempotent'),
      /** Deletes the photo for good. */
      delete: call('DELETE', photo, 'none'),
      deleteMany: call('POST', `${event}/photos/bulk-delete`, 'body', 'idempotent'),
      /** The rating and the color label of the token's account. */
      mark: call('PUT', `${photo}/mark`, 'body'),
      /** Uploads a photo or a video of any size. In Node, `openAsBlob` opens a file without reading it. */
      upload: (eventId: number, file: Blob, upload: UploadOptions = {}): Promise<Photo> =>
        uploadFile<Photo>(send, { eventId }, file, upload),
      /** Replaces the file of a photo, which keeps its id and its marks. */
      replace: (eventId: number, photoId: number, file: Blob, upload: UploadOptions = {}): Promise<ReplacedPhoto> =>
        uploadFile<ReplacedPhoto>(send, { eventId, replacesPhotoId: photoId }, file, upload),
      /** All versions of a photo, the oldest first. */
      versions: call('GET', `${photo}/versions`, 'none'),
      /** Adds a file as the next version of a photo, in an event that keeps versions. */
      addVersion: (eventId: number, photoId: number, file: Blob, upload: UploadOptions = {}): Promise<ReplacedPhoto> =>
        uploadFile<ReplacedPhoto>(send, { eventId, addsVersionTo: photoId }, file, upload),
      /** The original, byte by byte. */
      download: download(`${photo}/download`, 'query'),
      preview: download(`${photo}/preview`, 'query'),
      thumbnail: download(`${photo}/thumbnail`, 'none'),
      /** Originals of the event as a ZIP. */
      downloadZip: download(`${event}/photos/download`, 'query'),
    },

    categories: {
      list: call('GET', `${event}/categories`, 'none'),
      create: call('POST', `${event}/categories`, 'body', 'keyed'),
      update: call('PUT', `${event}/categories/{category_id}`, 'body'),
      delete: call('DELETE', `${event}/categories/{category_id}`, 'none'),
    },

    /** What guests have picked, submitted and written. */
    proofing: {
      picks: call('GET', `${event}/picks`, 'none'),
      selections: list(`${event}/selections`, 'selections'),
      /** With what was agreed, if it was submitted in a round. */
      selection: call('GET', `${event}/selections/{selection_id}`, 'none'),
      markSelectionDone: call('PUT', `${event}/selections/{selection_id}/done`, 'none'),
      reopenSelection: call('PUT', `${event}/selections/{selection_id}/open`, 'none'),
      comments: list(`${event}/comments`, 'feedback'),
      approveComment: call('PUT', `${event}/comments/{feedback_id}/approve`, 'none'),
      hideComment: call('PUT', `${event}/comments/{feedback_id}/hide`, 'none'),
      deleteComment: call('DELETE', `${event}/comments/{feedback_id}`, 'none'),
      /** Private notes of guests to the photographer. */
      notes: list(`${event}/notes`, 'notes'),
      /** Comments, notes, pins and boxes with their answers. */
      threads: list(`${event}/threads`, 'threads'),
    },

    /** Marks for other programs. */
    exports: {
      download: download(`${event}/export`, 'query'),
      list: call('GET', `${event}/exports`, 'none'),
      changes: call('GET', `${event}/exports/{export_id}/changes`, 'none'),
    },

    customers: {
      list: list('/api/v1/customers', 'customers'),
      create: call('POST', '/api/v1/customers', 'body', 'keyed'),
      update: call('PATCH', customer, 'body'),
      delete: call('DELETE', customer, 'none'),
      assign: call('PUT', `${customer}/events/{event_id}`, 'none'),
      withdraw: call('DELETE', `${customer}/events/{event_id}`, 'none'),
    },

    /** The webhooks of the token's account. */
    webhooks: {
      list: call('GET', '/api/v1/webhooks', 'none'),
      /** The only response with the secret. */
      create: call('POST', '/api/v1/webhooks', 'body', 'keyed'),
      get: call('GET', webhook, 'none'),
      update: call('PUT', webhook, 'body'),
      delete: call('DELETE', webhook, 'none'),
      test: call('POST', `${webhook}/test`, 'body'),
      types: call('GET', '/api/v1/webhooks/event-types', 'none'),
    },
  }
}
