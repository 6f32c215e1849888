import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Browser } from 'playwright-core'
import { chunkBytes } from './chunked-file.ts'
import { adminPassword, type Server } from './server-process.ts'

export type Folder = { path: string; files: readonly string[]; bytes: number }

/** Has no event, because each run needs a new one: files that an event already has are not sent again. */
export type AdminTarget = { server: Server; token: string }

const atOnce = 4

/** Sends four requests at a time and reads each chunk just before it is sent. Returns bytes per second. */
export async function sendByScript({ server, token }: AdminTarget, eventId: number, folder: Folder): Promise<number> {
  const base = `http://127.0.0.1:${server.port}/api/admin/photos/${eventId}/chunked-upload`
  async function post(address: string, body: object | Uint8Array<ArrayBuffer>) {
    const isChunk = body instanceof Uint8Array
    const answer = await fetch(base + address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': isChunk ? 'application/octet-stream' : 'application/json',
      },
      body: isChunk ? body : JSON.stringify(body),
    })
    const reply = await answer.text()
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${reply}`)
    return JSON.parse(reply)
  }
  async function send(path: string, workerCount: number): Promise<void> {
    const file = await open(path)
    const { size } = await file.stat()
    const { uploadId, expectedChunks } = await post('/init', { filename: basename(path), fileSize: size })
    let next = 0
    const worker = async () => {
      for (let index = next++; index < expectedChunks; index = next++) {
        const bytes = new Uint8Array(Math.min(chunkBytes, size - index * chunkBytes))
        await file.read(bytes, 0, bytes.length, index * chunkBytes)
        await post(`/${uploadId}/chunk/${index}`, bytes)
      }
    }
    await Promise.all(Array.from({ length: workerCount }, worker))
    await post(`/${uploadId}/complete`, {})
    await file.close()
  }
  const from = performance.now()
  const queue = [...folder.files]
  const sendSome = async () => {
    for (let path = queue.shift(); path; path = queue.shift()) await send(path, folder.files.length === 1 ? atOnce : 1)
  }
  await Promise.all(Array.from({ length: atOnce }, sendSome))
  return (folder.bytes * 1000) / (performance.now() - from)
}

/**
 * Drops the folder on the page of the event. Returns bytes per second, measured until the page reports all files as
 * added.
 */
export async function sendByBrowser(
  browser: Browser,
  { server }: AdminTarget,
  eventId: number,
  folder: Folder,
): Promise<number> {
  const url = `http://127.0.0.1:${server.port}`
  const context = await browser.newContext({ locale: 'en' })
  try {
    await context.request.post(`${url}/api/auth/admin/login`, {
      data: { username: 'admin', password: adminPassword },
    })
    const page = await context.newPage()
    await page.goto(`${url}/admin/events/${eventId}`)
    const panel = page.getByRole('region', { name: 'Uploads' })
    await panel.getByText('or choose them').waitFor()
    await page.waitForLoadState('networkidle')
    const session = await context.newCDPSession(page)
    const data = { items: [], files: [folder.path], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver'] as const) {
      await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
    }
    const from = performance.now()
    await session.send('Input.dispatchDragEvent', { type: 'drop', x: 400, y: 300, data })
    await panel.getByText(`${folder.files.length} added`, { exact: true }).waitFor({ timeout: 300_000 })
    return (folder.bytes * 1000) / (performance.now() - from)
  } finally {
    await context.close()
  }
}
