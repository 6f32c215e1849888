import type { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import { ExportedMarks, ExportList, ExportQuery, type PickFilter, pickFilters } from '../../contract/exports.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { markFilterOf } from '../photos/mark-filter-rules.ts'
import { isoTime } from '../platform/clock.ts'
import type { Http } from '../platform/http/create-http.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { invalidField } from '../platform/refusal.ts'
import type { House } from '../settings/house.ts'
import { exportMarks, type MarksExport } from './export-marks.ts'
import { listExports } from './export-rows.ts'
import { fileNameOf, type Naming } from './file-names.ts'
import { marksCsv } from './marks-csv.ts'
import { labelNames, readLabelNames, xmpSidecars } from './xmp-sidecars.ts'

const separators = { newline: '\n', comma: ', ', space: ' ' }

/** Marks taken home, into Lightroom and its like. */
export const exportsApi = (house: House) => async (app: Http) => {
  app.get(
    '/feedback/events/:event_id/export',
    {
      // HEAD would make an export that nobody gets.
      exposeHeadRoute: false,
      schema: {
        operationId: 'exportMarks',
        tags: ['proofing'],
        summary: 'Stars, colours, likes and comments as a table, as XMP sidecars or as a list of file names',
        params: IdParams('event_id'),
        querystring: ExportQuery,
        response: ExportedMarks,
      },
      config: { permission: 'photos.view' },
    },
    async (request, reply) => {
      const { query } = request
      const labels = query.labels === undefined ? labelNames[query.label_language] : readLabelNames(query.labels)
      if (!labels) throw invalidField('labels', 'must be five names with commas in between')
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      const naming = { isFull: query.naming === 'full', rawExtension: query.raw_extension ?? null }
      const made = await exportMarks(house, {
        eventId: event.id,
        userId: request.caller.user.id,
        format: query.format,
        filter: markFilterOf(query),
        picks: picksIn(query.filter),
        selection: query.selection ?? null,
        since: query.since ?? null,
      })
      reply.headers({ 'x-export-id': String(made.id), 'x-export-photos': String(made.photos.length) })
      const downloadName = (extension: string) => `${event.slug}-picks-${made.id}.${extension}`
      switch (query.format) {
        case 'csv':
          return sendText(reply, 'text/csv', downloadName('csv'), marksCsv(made.photos))
        case 'list':
          return sendText(reply, 'text/plain', downloadName('txt'), nameList(made, naming, separators[query.separator]))
        case 'xmp': {
          const sidecars = xmpSidecars(made.photos, { naming, labels, modifiedAt: made.exportedAt })
          return sendFile(request, reply, {
            ...sidecars,
            contentType: 'application/zip',
            downloadName: downloadName('zip'),
            open: async (range) => sidecars.open(range),
          })
        }
      }
    },
  )

  app.get(
    '/feedback/events/:event_id/exports',
    {
      schema: {
        operationId: 'listExports',
        tags: ['proofing'],
        summary: 'Your latest exports of an event, for `since`',
        params: IdParams('event_id'),
        response: { 200: ExportList },
      },
      config: { permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      const rows = await listExports(house.db, { eventId: event.id, userId: request.caller.user.id })
      return {
        exports: rows.map(({ id, format, photo_count, created_at }) => ({
          id,
          format,
          photo_count,
          created_at: isoTime(created_at),
        })),
      }
    },
  )
}

function picksIn(text = ''): PickFilter[] {
  const named = text.split(',').flatMap((word) => word.trim() || [])
  const known = pickFilters.filter((pick) => named.includes(pick))
  if (known.length < new Set(named).size) throw invalidField('filter', `may name ${pickFilters.join(', ')}`)
  return known
}

const nameList = ({ photos }: MarksExport, naming: Naming, separator: string): string =>
  photos.map(({ sourceFilename }) => fileNameOf(sourceFilename, naming)).join(separator)

function sendText(reply: FastifyReply, type: string, downloadName: string, body: Readable | string): FastifyReply {
  reply.headers({ 'content-disposition': contentDisposition(downloadName), 'cache-control': 'private, no-store' })
  return reply.type(`${type}; charset=utf-8`).send(body)
}
