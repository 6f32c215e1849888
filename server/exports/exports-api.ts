import type { Readable } from 'node:stream'
import { ExportChanges, ExportedMarks, ExportList, ExportQuery } from '../../contract/exports.ts'
import { sourceLanguage } from '../../contract/languages.ts'
import { IdParams } from '../../contract/shapes.ts'
import type { AccountCaller } from '../access/callers.ts'
import { parseBearerToken } from '../access/cookies.ts'
import { canReadNotes } from '../access/roles.ts'
import { isCrossSite } from '../access/same-origin-hook.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { sendText } from '../platform/http/send-text.ts'
import { getTranslator } from '../platform/text/messages.ts'
import type { AppContext } from '../settings/app-context.ts'
import { compareWithExport, type MarksExport } from './export-marks.ts'
import { exportRecord, listExports } from './export-rows.ts'
import { createMarksCsv } from './marks-csv.ts'
import { createReadableTable } from './readable-table.ts'
import { loadInstructions, type RanExport, runExport } from './run-export.ts'
import { findSharedNames } from './shared-names.ts'
import { createVersionColumns } from './version-columns.ts'
import { createSidecarArchive, createSidecarFiles, type FileNaming, formatFileName } from './xmp-sidecars.ts'

const separators = { newline: '\n', comma: ', ', space: ' ' }

/** Part of both APIs: the paths are relative to the path of the event. */
export const exportsApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/export',
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
      config: { scope: 'read', permission: 'photos.view', problems: ['CROSS_ORIGIN'] },
    },
    async (request, reply) => {
      // The request stores an export, so links on other sites must not trigger it.
      if (!parseBearerToken(request.headers.authorization) && isCrossSite(request)) throw new AppError('CROSS_ORIGIN')
      const { query } = request
      const target = { eventId: request.params.event_id, format: query.format }
      const { eventId, markExport, guestId, labels, naming, headers, downloadName } = await runExport(
        ctx,
        request.caller,
        target,
        query,
      )
      reply.headers(headers)
      switch (query.format) {
        case 'csv':
          return sendText(
            reply,
            'text/csv',
            downloadName('csv'),
            await createTable(ctx, request.caller, { ...query, eventId, guestId, markExport }),
          )
        case 'list': {
          const names = formatNameList(markExport, naming, separators[query.separator])
          return sendText(reply, 'text/plain', downloadName('txt'), names)
        }
        case 'xmp': {
          const language = query.headers === 'keys' ? sourceLanguage : query.headers
          const instructions = await loadInstructions(ctx, request.caller, { ...query, eventId, language })
          const files = createSidecarFiles(markExport.photos, { naming, labels, instructions })
          const sidecars = createSidecarArchive(files, markExport.exportedAt)
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
    '/exports',
    {
      schema: {
        operationId: 'listExports',
        tags: ['proofing'],
        summary:
          'List your latest exports of an event, for `since`, and the names that picked photos share with others',
        params: IdParams('event_id'),
        response: { 200: ExportList },
      },
      config: { scope: 'read', permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const rows = await listExports(ctx.db, { eventId: event.id, userId: request.caller.user.id })
      return { exports: rows.map(exportRecord), shared_names: await findSharedNames(ctx, event.id) }
    },
  )

  app.get(
    '/exports/:export_id/changes',
    {
      schema: {
        operationId: 'listExportChanges',
        tags: ['proofing'],
        summary: 'Get the changes since one of your exports',
        description: 'Returns what the same export with `since` would contain, without exporting anything.',
        params: IdParams('event_id', 'export_id'),
        response: { 200: ExportChanges },
      },
      config: { scope: 'read', permission: 'photos.view' },
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
  caller: AccountCaller,
  {
    eventId,
    guestId,
    markExport,
    ...query
  }: ExportQuery & { eventId: number } & Pick<RanExport, 'guestId' | 'markExport'>,
): Promise<Readable> {
  const { headers: language, mark_source: source } = query
  const { photos } = markExport
  const event = await getOwnedEvent(ctx, caller, eventId)
  if (language === 'keys') return createMarksCsv(photos, await createVersionColumns(ctx, event, null))
  const further = await createVersionColumns(ctx, event, getTranslator('exports', language).t)
  const hasNotes = canReadNotes(caller)
  return createReadableTable(ctx, photos, { eventId, language, source, guestId, hasNotes, further })
}

const formatNameList = ({ photos }: MarksExport, naming: FileNaming, separator: string): string =>
  photos.map(({ sourceFilename }) => formatFileName(sourceFilename, naming)).join(separator)
