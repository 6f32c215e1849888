import { readFile } from 'node:fs/promises'
import { adminPassword } from './server-process.ts'
import { readPicture } from './upload-body.ts'

export type Gallery = { id: number; slug: string; shareToken: string; apiToken: string }

type JsonObject = Record<string, unknown>

/** Resolves with the session token of the first account. */
export async function signIn(port: number): Promise<string> {
  const admin = await postJson(port, '/api/auth/admin/login', { username: 'admin', password: adminPassword })
  return String(admin.token)
}

export async function makeApiToken(port: number): Promise<string> {
  const created = await postJson(
    port,
    '/api/admin/api-tokens',
    { name: 'bench', scopes: ['admin'] },
    await signIn(port),
  )
  return String(created.token)
}

/** Creates an event, by default without a password. `changes` replace or add fields of the request body. */
export async function makeGallery(
  port: number,
  apiToken: string,
  changes: Record<string, unknown> = {},
): Promise<Gallery> {
  const event = { event_type: 'wedding', event_name: 'Bench', require_password: false, ...changes }
  const created = await postJson(port, '/api/v1/events', event, apiToken)
  return { id: Number(created.id), slug: String(created.slug), shareToken: String(created.share_token), apiToken }
}

export async function enterGallery(port: number, gallery: Gallery): Promise<string> {
  const entry = await postJson(port, '/api/auth/gallery/share-login', { slug: gallery.slug, token: gallery.shareToken })
  return String(entry.token)
}

/** Uploads JPEG files, each with different bytes, and resolves with the photo ids. */
export async function addPhotos(port: number, gallery: Gallery, paths: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const path of paths) {
    const { contentType, parts } = readPicture(await readFile(path)).createBody(ids.length)
    const headers = { authorization: `Bearer ${gallery.apiToken}`, 'content-type': contentType }
    const created = await send(port, 'POST', uploadPath(gallery), Buffer.concat(parts), headers)
    ids.push(Number(created.id))
  }
  return ids
}

export function uploadPath(gallery: Gallery): string {
  return `/api/v1/events/${gallery.id}/photos`
}

export function feedbackPath(gallery: Gallery, id: number): string {
  return `/api/gallery/${gallery.slug}/photos/${id}/feedback`
}

export function imagePath(gallery: Gallery, kind: 'thumbnail' | 'photo', id: number): string {
  return `/api/gallery/${gallery.slug}/${kind}/${id}`
}

const postJson = (port: number, path: string, body: object, token?: string): Promise<JsonObject> =>
  sendJson(port, 'POST', path, body, token)

/** Resolves with the parsed response. Throws for any status that is not 2xx. */
export function sendJson(
  port: number,
  method: string,
  path: string,
  body: object,
  token?: string,
): Promise<JsonObject> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return send(port, method, path, JSON.stringify(body), { 'content-type': 'application/json', ...authorization })
}

async function send(
  port: number,
  method: string,
  path: string,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<JsonObject> {
  const signal = AbortSignal.timeout(60_000)
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body, headers, signal })
  const reply = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reply.slice(0, 500)}`)
  return JSON.parse(reply)
}
