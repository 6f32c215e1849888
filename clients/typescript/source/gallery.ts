import type { Client } from 'openapi-fetch'
import { createCalls } from './calls.ts'
import { type ChunkedOptions, sendInChunks } from './chunked-upload.ts'
import { type ConnectionOptions, connect } from './connection.ts'
import type { components, paths } from './gallery-api.ts'

export type GalleryOptions = ConnectionOptions & {
  /** A gallery session: the `token` of `enterByLink`, `enterByPassword` or `nameGuest`. Not needed to enter. */
  session?: string
  /** Continues as this guest: the `token` of `nameGuest`. */
  guestToken?: string
}

export type GalleryPhoto = components['schemas']['GalleryPhoto']

export type Gallery = ReturnType<typeof createGallery>

/** What guests can do. All methods throw ProofroomError. */
export function createGallery({ session, guestToken, ...options }: GalleryOptions) {
  const headers = {
    ...options.headers,
    ...(session !== undefined && { authorization: `Bearer ${session}` }),
    ...(guestToken !== undefined && { 'x-guest-token': guestToken }),
  }
  const { api, send } = connect<paths>({ ...options, headers })
  const { call, list, download } = createCalls<paths>(send)
  const gallery = '/api/gallery/{slug}'

  return {
    /** For calls that have no method here. It does not repeat calls, and does not throw. */
    api: api as Client<paths>,

    find: call('GET', '/api/gallery/resolve/{identifier}', 'none'),
    info: call('GET', `${gallery}/info`, 'none'),
    enterByLink: call('POST', '/api/auth/gallery/share-login', 'body'),
    enterByPassword: call('POST', '/api/auth/gallery/verify', 'body'),
    nameGuest: call('POST', `${gallery}/guest`, 'body', 'idempotent'),

    photos: list(`${gallery}/photos`, 'photos'),
    /** The picture in a width for the screen (`w`), or the original as guests get it. */
    photo: download(`${gallery}/photo/{photo_id}`, 'query'),
    thumbnail: download(`${gallery}/thumbnail/{photo_id}`, 'none'),
    download: download(`${gallery}/download/{photo_id}`, 'query'),
    downloadZip: download(`${gallery}/download-all`, 'query'),

    feedback: call('GET', `${gallery}/photos/{photo_id}/feedback`, 'query'),
    giveFeedback: call('POST', `${gallery}/photos/{photo_id}/feedback`, 'body', 'keyed'),
    ownFeedback: list(`${gallery}/my-feedback`, 'feedback'),
    submitSelection: call('POST', `${gallery}/selection`, 'body', 'keyed'),

    /** Sends a photo or a video of any size, if the event accepts uploads. */
    upload: (slug: string, file: Blob, { name, ...upload }: ChunkedOptions & { name?: string } = {}) => {
      const filename = name ?? (file as Partial<File>).name
      if (filename === undefined) throw new TypeError('A Blob has no name: name it in the options.')
      const path = `${gallery}/chunked-upload`
      return sendInChunks<{ id: number }>(
        send,
        { path, parameters: { slug }, file, init: { filename }, complete: {} },
        upload,
      )
    },
  }
}
