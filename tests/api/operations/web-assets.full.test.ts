import { readFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { builtFolder } from '../../../server/platform/html/web-build.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { requestUndecoded, type UndecodedResponse } from '../../support/clients/undecoded-response.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { anonymous, api } = service
const event = await createEvent(api)
const ids = await uploadPhotos(api, event.id, 4)
const guest = await enterAsGuest(service, event)
const page = new URL(event.share_url).pathname
const linked = [...(await anonymous.get(page)).bytes.toString().matchAll(/"(\/built\/[^"]+)"/g)].map(
  ([, path = '']) => path,
)
const built = linked.filter((path) => /\.(css|js)$/.test(path))

const send = (path: string, headers: Record<string, string> = {}) => requestUndecoded(service.url + path, headers)
const sendAsGuest = (path: string, headers: Record<string, string> = {}) =>
  send(`/api/gallery/${event.slug}${path}`, { authorization: `Bearer ${guest.token}`, ...headers })

function decompress({ headers, bytes }: UndecodedResponse): string {
  const encoding = headers['content-encoding']
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

test('the icon of every page is a picture', async () => {
  for (const path of [page, '/admin', '/gallery/nobody']) {
    const html = (await anonymous.get(path)).bytes.toString()
    const [, icon = ''] = html.match(/<link rel="icon" type="image\/svg\+xml" href="([^"]+)">/) ?? []
    const { status, headers } = await send(icon)
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'image/svg+xml'])
  }
})

describe('the built files of the web app', () => {
  test('are linked by the page: the font of texts for the script, styles with that of the title, and one script', () => {
    expect(linked).toEqual([
      expect.stringMatching(/^\/built\/assets\/cormorant-text-[\w-]+\.css$/),
      expect.stringMatching(/^\/built\/assets\/pages-[\w-]+\.css$/),
      expect.stringMatching(/^\/built\/assets\/cormorant-title-latin-[\w-]+\.css$/),
      expect.stringMatching(/^\/built\/assets\/start-[\w-]+\.css$/),
      expect.stringMatching(/^\/built\/assets\/start-[\w-]+\.js$/),
    ])
  })

  test('fonts can be cached permanently and are not compressed again', async () => {
    const [style = ''] = linked
    const [, font = ''] = decompress(await send(style)).match(/url\("\.\/([^"]+\.woff2)"\)/) ?? []
    const { status, headers } = await send(`/built/assets/${font}`, { 'accept-encoding': 'gzip, br' })
    expect([status, headers['content-type'], headers['content-encoding']]).toEqual([200, 'font/woff2', undefined])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test('are at most 18 for each page of the admin app', async () => {
    const manifest: Record<string, { imports?: string[]; css?: string[] }> = JSON.parse(
      await readFile(`${builtFolder}/admin/manifest.json`, 'utf8'),
    )
    const listChunks = (name: string): string[] => [name, ...(manifest[name]?.imports ?? []).flatMap(listChunks)]
    const countFiles = (page: string) => {
      const chunks = [...new Set(listChunks(page))]
      return new Set([...chunks, ...chunks.flatMap((chunk) => manifest[chunk]?.css ?? [])]).size
    }
    const pages = Object.keys(manifest).filter((name) => name.endsWith('-page.tsx'))
    expect(pages).not.toEqual([])
    expect(pages.filter((page) => countFiles(page) > 18).map((page) => `${page}: ${countFiles(page)}`)).toEqual([])
  })

  test('are sent precompressed, without source maps, and can be cached permanently', async () => {
    for (const path of built) {
      const ask = (accepted: string) => send(path, { 'accept-encoding': accepted })
      const sent = [await ask('gzip, deflate, br, zstd'), await ask('gzip'), await send(path)]
      expect(sent.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
      for (const { status, headers } of sent) {
        expect(status).toBe(200)
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
        expect(headers['content-type']).toMatch(path.endsWith('.js') ? /^(text|application)\/javascript/ : /^text\/css/)
        expect(headers['x-content-type-options']).toBe('nosniff')
        expect(headers.vary).toMatch(/accept-encoding/i)
      }
      expect(new Set(sent.map(decompress)).size).toBe(1)
      expect(sent.map(decompress)[0]).not.toContain('sourceMappingURL')
      expect(sent[0]?.bytes.length).toBeLessThan(sent[2]?.bytes.length ?? 0)
      const head = await send(path, { method: 'HEAD' })
      expect([head.status, head.bytes.length]).toEqual([200, 0])
    }
  })

  test('are the only ones: any other address is 404 and not a page', async () => {
    const script = built.find((path) => path.endsWith('.js')) ?? ''
    const unknown = `/built/assets/start-00000000.js /built/manifest.json /built/ /built /built/assets ${script}.map
      ${script}.br /built/../package.json /built/%2e%2e/%2e%2e/package.json /built/assets/..%2f..%2f..%2fpackage.json`
    for (const path of unknown.split(/\s+/)) {
      const answer = await anonymous.get(path)
      expectProblem(answer, 404, 'NOT_FOUND')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('a response compressed while it is sent', () => {
  test('has the best encoding that the client accepts', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['zstd, br;q=0.5', 'br'],
      ['gzip', 'gzip'],
      ['zstd', undefined],
      ['', undefined],
    ] as const) {
      const headers = { 'accept-encoding': accepted }
      const responses = [await send(page, headers), await send('/assets/gallery.css', headers)]
      for (const sent of [...responses, await sendAsGuest('/photos', headers)]) {
        expect([sent.status, sent.headers['content-encoding']], accepted).toEqual([200, encoding])
        expect(decompress(sent)).toMatch(/<!doctype html>|\.grid|"photos"/)
        if (encoding) expect(sent.headers.vary).toMatch(/accept-encoding/i)
      }
    }
    const { status, headers } = await send('/gallery/nothing/x', { 'accept-encoding': 'br' })
    expect([status, headers['content-encoding']]).toEqual([404, 'br'])
  })

  test('has no Content-Length for GET or HEAD, and is not sent again to a client that has it', async () => {
    for (const path of [page, '/assets/gallery.css']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await send(path, { 'accept-encoding': 'br', method })
        expect([path, method, status, headers['content-length']]).toEqual([path, method, 200, undefined])
      }
    }
    const { headers } = await send('/assets/gallery.css', { 'accept-encoding': 'br' })
    const again = await send('/assets/gallery.css', { 'accept-encoding': 'br', 'if-none-match': headers.etag ?? '' })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })
})

test('pictures, downloads and archives are never compressed', async () => {
  const accepting = { 'accept-encoding': 'gzip, deflate, br, zstd' }
  for (const path of [`/thumbnail/${ids[0]}`, `/photo/${ids[0]}`, `/download/${ids[0]}`, '/download-all']) {
    const [plain, asked] = [await sendAsGuest(path), await sendAsGuest(path, accepting)]
    expect([asked.status, asked.headers['content-encoding']]).toEqual([200, undefined])
    expect(asked.headers.etag).toBe(plain.headers.etag)
    expect(Number(asked.headers['content-length'])).toBe(asked.bytes.length)
    expect(asked.bytes.equals(plain.bytes)).toBe(true)
    const part = await sendAsGuest(path, { ...accepting, range: 'bytes=0-9' })
    expect([part.status, part.bytes.length, part.headers['content-encoding']]).toEqual([206, 10, undefined])
    const head = await sendAsGuest(path, { ...accepting, method: 'HEAD' })
    expect(head.headers['content-length']).toBe(asked.headers['content-length'])
    const again = await sendAsGuest(path, { ...accepting, 'if-none-match': asked.headers.etag ?? '' })
    expect(again.status).toBe(304)
  }
})

test('a range outside of a file is 416', async () => {
  expect((await anonymous.get('/assets/gallery.css', { range: 'bytes=9999999-' })).status).toBe(416)
})
