import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { chunkBytes } from '../../contract/chunk-bytes.ts'
import { ProbeBytes, ProbeReply, ProbeStream, probeRangeReplies } from '../../contract/instance/health.ts'
import { probePauseMs, probeRangeBytes } from '../../contract/instance/proxy-probes.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptOctetStreams, parseContentLength } from '../platform/http/request-bodies.ts'
import { sendFile } from '../platform/http/send-file.ts'

const permission = 'settings.view'

/** Shows how proxies treat bodies, ranges and streams. Nothing is stored. */
export const proxyProbesApi = async (app: Http) => {
  acceptOctetStreams(app)

  app.post(
    '/health/proxy/body',
    {
      schema: {
        operationId: 'probeBody',
        tags: ['instance'],
        summary: 'Test whether a body as large as an upload chunk arrives',
        description: 'The body is counted and discarded.',
        consumes: ['application/octet-stream'],
        body: ProbeBytes,
        response: { 200: ProbeReply },
      },
      config: { permission, problems: ['BODY_TOO_LARGE'], skipAudit: true },
    },
    async (request) => {
      if ((parseContentLength(request) ?? 0) > chunkBytes) throw new AppError('BODY_TOO_LARGE')
      let size = 0
      for await (const bytes of request.raw) {
        size += (bytes as Buffer).length
        if (size > chunkBytes) throw new AppError('BODY_TOO_LARGE')
      }
      return { size_bytes: size }
    },
  )

  app.get(
    '/health/proxy/range',
    {
      schema: {
        operationId: 'probeRange',
        tags: ['instance'],
        summary: 'Test whether range requests arrive',
        response: probeRangeReplies,
      },
      config: { permission, problems: ['RANGE_NOT_SATISFIABLE'] },
    },
    (request, reply) =>
      sendFile(request, reply, {
        sizeBytes: probeRangeBytes,
        etag: 'probe',
        contentType: 'application/octet-stream',
        open: async ({ start, end } = { start: 0, end: probeRangeBytes - 1 }) =>
          Readable.from([Buffer.alloc(end - start + 1, 'proof')]),
      }),
  )

  app.get(
    '/health/proxy/stream',
    {
      schema: {
        operationId: 'probeStream',
        tags: ['instance'],
        summary: 'Test whether a proxy buffers event streams: two events with a pause in between',
        response: { 200: ProbeStream },
      },
      config: { permission },
    },
    // These headers must be the same as those of the event stream in `live-stream-replies.ts`.
    async (_request, reply) =>
      reply
        .header('content-type', 'text/event-stream')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(sendTwoEvents())),
  )
}

async function* sendTwoEvents(): AsyncGenerator<string> {
  yield 'data: first\n\n'
  await pause(probePauseMs)
  yield 'data: second\n\n'
}
