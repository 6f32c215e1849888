import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../server/main.ts'
import { readConfig } from '../server/platform/configuration/config.ts'
import { samplePicture } from './sample-pictures.ts'

/** `token` has the scope write; `adminToken` is that of a session. */
export type Demo = {
  url: string
  username: string
  password: string
  token: string
  adminToken: string
  stop: () => Promise<void>
}

export type DemoEvent = { id: number; share_url: string }

export const demoPhotoCount = 24

/** Starts the service with a new administrator, on PORT and HOST of the environment or on a free local port. */
export async function startDemo({ PORT = '0', HOST = '127.0.0.1' } = process.env): Promise<Demo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofroom-demo-'))
  const removeFolder = () => rm(dataDir, { recursive: true, force: true })
  const password = randomBytes(12).toString('base64url')
  const environment = { PORT, HOST, DATA_DIR: dataDir, ADMIN_PASSWORD: password, LOG_LEVEL: 'warn' }
  const config = readConfig({ ...environment, SHUTDOWN_GRACE_S: '1' })
  const service = await startService(config).catch(async (error) => {
    await removeFolder()
    throw error
  })
  const url = `http://localhost:${new URL(service.address).port}`
  const { token } = await post<{ token: string }>(url, '/api/auth/admin/login', null, { username: 'admin', password })
  const tokenBody = { name: 'Demo', scopes: ['write'] }
  const apiToken = await post<{ token: string }>(url, '/api/admin/api-tokens', token, tokenBody)
  const stop = () => service.stop().then(removeFolder)
  return { url, username: config.adminUsername, password, token: apiToken.token, adminToken: token, stop }
}

export const createDemoEvent = ({ url, token }: Demo, changes: Record<string, unknown> = {}): Promise<DemoEvent> =>
  post(url, '/api/v1/events', token, {
    event_type: 'wedding',
    event_name: 'Ana & Ben',
    event_date: '2026-06-20',
    welcome_message: 'Thank you for celebrating with us.\nHere are our favourite moments of the day.',
    require_password: false,
    ...changes,
  })

/** Names the studio and the color labels. */
export async function nameDemoStudio({ url, adminToken }: Demo): Promise<void> {
  const settings = {
    branding_studio_name: 'Studio Lumen',
    color_name_red: 'Album',
    color_name_yellow: 'Canvas',
    color_name_green: 'Thank-you cards',
  }
  await send('PUT', url, '/api/admin/settings', adminToken, settings)
}

/** Begins a first look: more photos come within two weeks. */
export async function beginFirstLook({ url, adminToken }: Demo, { id }: DemoEvent): Promise<void> {
  const completeOn = new Date(Date.now() + 14 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const firstLook = { about_count: 80, complete_on: completeOn }
  await send('PUT', url, `/api/admin/events/${id}/first-look`, adminToken, firstLook)
}

/** Throws before the next photo when `signal` is aborted. */
export async function uploadDemoPhotos(
  demo: Demo,
  event: DemoEvent,
  { onProgress, signal }: { onProgress?: (done: number) => void; signal?: AbortSignal } = {},
): Promise<void> {
  for (let index = 0; index < demoPhotoCount; index++) {
    signal?.throwIfAborted()
    const { filename, bytes } = await samplePicture(index, { longEdgePx: 1500 })
    await uploadPhoto(demo, event, filename, bytes)
    onProgress?.(index + 1)
  }
}

export async function uploadPhoto(
  { url, token }: Demo,
  { id }: DemoEvent,
  filename: string,
  bytes: Uint8Array,
): Promise<void> {
  const form = new FormData()
  form.append('photo', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), filename)
  await post(url, `/api/v1/events/${id}/photos`, token, form)
}

const post = <Reply>(url: string, path: string, token: string | null, body: object): Promise<Reply> =>
  send('POST', url, path, token, body)

async function send<Reply>(
  method: string,
  url: string,
  path: string,
  token: string | null,
  body: object,
): Promise<Reply> {
  const isForm = body instanceof FormData
  const headers = new Headers(isForm ? {} : { 'content-type': 'application/json' })
  if (token) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(url + path, { method, headers, body: isForm ? body : JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Reply
}
