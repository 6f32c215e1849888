import { describe, expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunk-bytes.ts'
import { probeRangeBytes } from '../../../contract/instance/proxy-probes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { storedState } from '../../support/database/service-database.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin } = service
const base = '/api/admin/health/proxy'

describe('probes for proxy problems', () => {
  const send = (bytes: number) =>
    admin.call('POST', `${base}/body`, {
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    })

  test('a body of chunk size is counted and discarded, a larger one is rejected', async () => {
    const before = await storedState(service)
    const { status, body } = await send(chunkBytes)
    expect([status, body]).toEqual([200, { size_bytes: chunkBytes }])
    expect((await send(0)).body).toEqual({ size_bytes: 0 })
    expectProblem(await send(chunkBytes + 1), 413, 'BODY_TOO_LARGE')
    expect(await storedState(service)).toEqual(before)
    const { activity } = (await admin.get('/api/admin/activity?action=probeBody')).body
    expect(activity).toEqual([])
  })

  test('a range is returned as one, with the ETag of the whole', async () => {
    const whole = await admin.get(`${base}/range`)
    expect([whole.status, whole.bytes.length]).toEqual([200, probeRangeBytes])
    const piece = await admin.get(`${base}/range`, { range: 'bytes=100-199' })
    expect(piece.status).toBe(206)
    expect(piece.headers.get('content-range')).toBe(`bytes 100-199/${probeRangeBytes}`)
    expect(piece.bytes.length).toBe(100)
    expect(piece.headers.get('etag')).toBe(whole.headers.get('etag'))
    expectProblem(await admin.get(`${base}/range`, { range: 'bytes=65536-' }), 416, 'RANGE_NOT_SATISFIABLE')
  })

  test('two events arrive with a pause between them, with the headers of live events', async () => {
    const headers = { authorization: `Bearer ${admin.token}` }
    const response = await fetch(`${service.url}${base}/stream`, { headers })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const arrived: string[] = []
    for await (const bytes of response.body ?? []) arrived.push(new TextDecoder().decode(bytes))
    expect(arrived).toEqual(['data: first\n\n', 'data: second\n\n'])
  })
})
