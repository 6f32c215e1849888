import type { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import { ExportChanges, ExportChoice, ExportedMarks, ExportList, ExportQuery } from '../../contract/exports.ts'
import { IdParams } from '../../contract/shapes.ts'
import { parseBearerToken } from '../access/cookies.ts'
import { isCrossSite } from '../access/same-origin-hook.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { findGuest } from '../feedback/guest-rows.ts'
import { AppError, invalidField } from '../platform/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { createSlug } from '../platform/slugs.ts'
import type { AppContext } from '../settings/app-context.ts'
import { compareWithExport, exportMarks, type MarksExport } from './export-marks.ts'
import { exportRecord, listExports } from './export-rows.ts'
import { createMarksCsv } from './marks-csv.ts'
import { createReadableTable } from './readable-table.ts'
import { createXmpSidecars, type FileNaming, formatFileName, labelNames, parseLabelNames } from './xmp-sidecars.ts'

const separators = { newline: '\n', comma: ', ', space: ' ' }

export const exportsApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/feedback/events/:event_id/export',
    {
      // A HEAD request would create an export.
      exposeHeadRoute: false,
      schema: {
        operationId: 'exportMarks',
        tags: ['proofing'],
        summary: 'Export ratings, color labels, likes and comments as a table, XMP sidecars or a list of file names',
        params: IdParams('event_id'),
        querystring: ExportQuery,
        response: ExportedMarks,
      },
      config: { permission: 'photos.view', problems: ['CROSS_ORIGIN'] },
    },
    async (request, reply) => {
      // The request stores an export, so links on other sites must not trigger it.
      if (!parseBearerToken(request.headers.authorization) && isCrossSite(request)) throw new AppError('CROSS_ORIGIN')
      const { query } = request
      const labels = query.labels === undefined ? labelNames[query.label_language] : parseLabelNames(query.labels)
      if (!labels) throw invalidField('labels', 'must be five names, separated by commas')
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const naming = { isFull: query.naming === 'full', rawExtension: query.raw_extension ?? null }
      const markExport = await exportMarks(ctx, {
        eventId: event.id,
        userId: request.caller.user.id,
        format: query.format,
        choice: parseChoice(query),
        since: query.since ?? null,
      })
      reply.headers({ 'x-export-id': String(markExport.id), 'x-export-photos': String(markExport.photos.length) })
      const whose = await describeMarkOwner(ctx, event.id, query)
      const downloadName = (extension: string) => `${event.slug}-picks-${whose}-${markExport.id}.${extension}`
      switch (query.format) {
        case 'csv':
          return sendText(reply, 'text/csv', downloadName('csv'), await createTable(ctx, event.id, markExport, query))
        case 'list': {
          const names = formatNameList(markExport, naming, separators[query.separator])
          return sendText(reply, 'text/plain', downloadName('txt'), names)
        }
        case 'xmp': {
          const sidecars = createXmpSidecars(markExport.photos, { naming, labels, modifiedAt: markExport.exportedAt })
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
        summary: 'List your latest exports of an event, for `since`',
        params: IdParams('event_id'),
        response: { 200: ExportList },
      },
      config: { permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const rows = await listExports(ctx.db, { eventId: event.id, userId: request.caller.user.id })
      return { exports: rows.map(exportRecord) }
    },
  )

  app.get(
    '/feedback/events/:event_id/exports/:export_id/changes',
    {
      schema: {
        operationId: 'listExportChanges',
        tags: ['proofing'],
        summary: 'Get the changes since one of your exports',
        description: 'Returns what the same export with `since` would contain, without exporting anything.',
        params: IdParams('event_id', 'export_id'),
        response: { 200: ExportChanges },
      },
      config: { permission: 'photos.view' },
    },
    async (request) => {
      const { event_id, export_id } = request.params
      const event = await getOwnedEvent(ctx, request.caller, event_id)
      return compareWithExport(ctx, { eventId: event.id, userId: request.caller.user.id }, export_id)
    },
  )
}

async function createTable(
  ctx: AppContext,
  eventId: number,
  { photos }: MarksExport,
  { headers, mark_source: source, marks_of }: ExportQuery,
): Promise<Readable> {
  if (headers === 'keys') return createMarksCsv(photos)
  return createReadableTable(ctx, photos, { eventId, language: headers, source, guestId: marks_of ?? null })
}

/** Returns the part of a file name that states whose marks the export contains. */
async function describeMarkOwner(ctx: AppContext, eventId: number, query: ExportQuery): Promise<string> {
  if (query.mark_source === 'mine') return 'own'
  const guest = query.marks_of && ((await findGuest(ctx.db, eventId, query.marks_of))?.name ?? '')
  const guests = guest === undefined ? 'guests' : createSlug(guest).slice(0, 40) || 'guest'
  return query.mark_source === 'client' ? guests : `${guests}-and-own`
}

function parseChoice(query: ExportQuery): ExportChoice {
  const keys = new Set(Object.keys(ExportChoice.properties))
  return Object.fromEntries(Object.entries(query).filter(([key]) => keys.has(key))) as ExportChoice
}

const formatNameList = ({ photos }: MarksExport, naming: FileNaming, separator: string): string =>
  photos.map(({ sourceFilename }) => formatFileName(sourceFilename, naming)).join(separator)

function sendText(reply: FastifyReply, type: string, downloadName: string, body: Readable | string): FastifyReply {
  reply.headers({ 'content-disposition': contentDisposition(downloadName), 'cache-control': 'private, no-store' })
  return reply.type(`${type}; charset=utf-8`).send(body)
}
