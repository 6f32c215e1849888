import { Readable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../configuration/config.ts'
import { type ByteRange, FileMissing } from '../storage/storage.ts'
import { createHttp } from './create-http.ts'
import { type FileToSend, sendFile } from './send-file.ts'

const bytes = Buffer.from('0123456789')
const etag = '"abc"'

const file: FileToSend = {
  sizeBytes: bytes.length,
  etag: 'abc',
  contentType: 'image/jpeg',
  open: async (range?: ByteRange) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
}

const unopened: FileToSend = { ...file, open: () => Promise.reject(new Error('It was opened')) }
const gone: FileToSend = { ...file, open: () => Promise.reject(new FileMissing('events/7/a.jpg')) }

async function ask(headers: Record<string, string> = {}, sent: FileToSend = file, method: 'GET' | 'HEAD' = 'GET') {
  const app = createHttp(readConfig({}), pino({ level: 'silent' }))
  app.get('/file', (request, reply) => sendFile(request, reply, sent))
  return app.inject({ method, url: '/file', headers })
}

test('a file is sent whole, with its length, type and strong ETag', async () => {
  const answer = await ask()
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe('0123456789')
  expect(answer.headers).toMatchObject({
    'content-length': '10',
    'content-type': 'image/jpeg',
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
  })
  for (const name of ['content-range', 'content-disposition']) expect(answer.headers).not.toHaveProperty(name)
})

test('a file is sent as a download under its name in any language', async () => {
  const answer = await ask({}, { ...file, downloadName: 'Hochzeit – Zürich "1".jpg' })
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="/)
  expect(answer.headers['content-disposition']).toContain(
    "filename*=UTF-8''Hochzeit%20%E2%80%93%20Z%C3%BCrich%20%221%22.jpg",
  )
})

test('a file that is missing becomes a problem response', async () => {
  for (const headers of [{}, { range: 'bytes=0-3' }] as Array<Record<string, string>>) {
    const answer = await ask(headers, { ...gone, downloadName: 'a.jpg' })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 'PHOTO_FILE_MISSING' })
    expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length)
    expect(answer.headers['cache-control']).toBe('no-store')
    for (const name of ['etag', 'content-range', 'content-disposition']) expect(answer.headers).not.toHaveProperty(name)
  }
})

test('HEAD responds with the headers of the whole file without its bytes', async () => {
  for (const headers of [{}, { range: 'bytes=0-3' }] as Array<Record<string, string>>) {
    const answer = await ask(headers, file, 'HEAD')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'content-length': '10', 'content-type': 'image/jpeg', etag })
    expect(answer.rawPayload).toHaveLength(0)
  }
  expect((await ask({}, gone, 'HEAD')).statusCode).toBe(404)
})

test('If-None-Match with the ETag responds with 304 without opening the file, also to a range', async () => {
  for (const header of [etag, 'W/"abc"', '*', '"x","abc","y"', '"x", W/"abc"', '  "abc"  ']) {
    const answer = await ask({ 'if-none-match': header, range: 'bytes=0-3' }, unopened)
    expect(answer.statusCode, header).toBe(304)
    expect(answer.headers.etag).toBe(etag)
    expect(answer.rawPayload).toHaveLength(0)
  }
  for (const header of ['"x", "y"', 'abc', '"ab"', '"abcd"', ''])
    expect((await ask({ 'if-none-match': header })).statusCode, header).toBe(200)
})

test.each([
  ['bytes=0-3', '0123', 'bytes 0-3/10'],
  ['bytes=4-4', '4', 'bytes 4-4/10'],
  ['bytes=7-99', '789', 'bytes 7-9/10'],
  ['bytes=0-', '0123456789', 'bytes 0-9/10'],
  ['bytes=-3', '789', 'bytes 7-9/10'],
  ['bytes=-99', '0123456789', 'bytes 0-9/10'],
])('a range %s gets a partial response', async (range, body, contentRange) => {
  const answer = await ask({ range })
  expect(answer.statusCode).toBe(206)
  expect(answer.body).toBe(body)
  expect(answer.headers).toMatchObject({
    'content-range': contentRange,
    'content-length': String(body.length),
    'content-type': 'image/jpeg',
    etag,
  })
})

test('a range outside the file gets 416 with the size', async () => {
  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0']) {
    const answer = await ask({ range }, { ...file, downloadName: 'a.jpg' })
    expect(answer.statusCode, range).toBe(416)
    expect(answer.headers['content-range']).toBe('bytes */10')
    expect(answer.json()).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' })
    expect(answer.headers).not.toHaveProperty('content-disposition')
  }
  const empty = { ...file, sizeBytes: 0, open: async () => Readable.from([]) }
  for (const range of ['bytes=0-0', 'bytes=-5']) expect((await ask({ range }, empty)).statusCode).toBe(416)
  expect((await ask({}, empty)).headers['content-length']).toBe('0')
})

test('a range that is not one plain range gets the whole file', async () => {
  for (const range of ['bytes=3-1', 'bytes=-', 'bytes=a-b', 'bytes=0-1,3-4', 'items=0-3', '0-3', 'bytes=1.5-3'])
    expect(await ask({ range }), range).toMatchObject({ statusCode: 200, body: '0123456789' })
})

test('a range gets a partial response only while If-Range matches the file', async () => {
  const statusFor = async (ifRange: string) => (await ask({ range: 'bytes=0-3', 'if-range': ifRange })).statusCode
  expect(await statusFor(etag)).toBe(206)
  expect(await statusFor('"of before"')).toBe(200)
  expect(await statusFor('W/"abc"')).toBe(200)
  expect(await statusFor('Wed, 21 Oct 2026 07:28:00 GMT')).toBe(200)
})
