import type { FastifyRequest } from 'fastify'
import { MergedSidecars, MergeSidecarsForm, MergeSidecarsQuery, maxMergedSidecars } from '../../contract/exports.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { invalidField } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptForms, withReceivedForm } from '../platform/http/receive-form.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { type FormFile, fileTooLarge } from '../platform/storage/received-file.ts'
import { getTranslator } from '../platform/text/messages.ts'
import { maxXmpBytes } from '../platform/xmp/xmp-encoding.ts'
import type { AppContext } from '../settings/app-context.ts'
import { mergeSidecars } from './merge-sidecars.ts'
import { loadInstructions, runExport } from './run-export.ts'
import { createSidecarArchive } from './xmp-sidecars.ts'

/** Real sidecars have a few kilobytes, so none of them reaches this limit. */
const maxFormBytes = 64 * 2 ** 20

export const mergeSidecarsApi = (ctx: AppContext) => async (app: Http) => {
  acceptForms(app)

  app.post(
    '/feedback/events/:event_id/export/sidecars',
    {
      schema: {
        operationId: 'mergeSidecars',
        tags: ['proofing'],
        summary: 'Export ratings and color labels into your existing XMP sidecars',
        description:
          'Sidecars are matched with the photos by name. They come back in the ZIP with the new rating and color label, and the words ' +
          'of open threads in `photoshop:Instructions`; all their other content is unchanged. Photos without a sidecar get a new one. Sidecars that match no photo, or several, and those ' +
          'that cannot be edited safely, are left out: a text file in the ZIP lists them.',
        consumes: ['multipart/form-data'],
        params: IdParams('event_id'),
        querystring: MergeSidecarsQuery,
        body: MergeSidecarsForm,
        response: MergedSidecars,
      },
      config: { permission: 'photos.view', problems: ['FILE_TOO_LARGE'] },
    },
    async (request, reply) => {
      await getOwnedEvent(ctx, request.caller, request.params.event_id)
      await withSidecars(ctx, request, async (existing) => {
        const { query } = request
        const caller = await request.admitAgain()
        const target = { eventId: request.params.event_id, format: 'xmp' } as const
        const { markExport, labels, naming, headers, downloadName } = await runExport(ctx, caller, target, query)
        const instructions = await loadInstructions(ctx, caller, { ...query, ...target })
        const { t } = getTranslator('exports', query.language)
        const options = { labels, naming, instructions, userId: caller.user.id, t }
        const { files, leftOutCount } = await mergeSidecars(ctx, markExport.photos, existing, options)
        const archive = createSidecarArchive(files, markExport.exportedAt)
        reply.headers({ ...headers, 'x-export-left-out': String(leftOutCount) })
        // Resolves when the archive is sent. Until then, the merged files are in staging.
        await sendFile(request, reply, {
          ...archive,
          contentType: 'application/zip',
          downloadName: downloadName('zip'),
          open: async (range) => archive.open(range),
        })
      })
      return reply
    },
  )
}

/** Throws VALIDATION_ERROR, FILE_TOO_LARGE, StorageFull and the errors of `withReceivedForm`. */
async function withSidecars(
  { storage }: AppContext,
  request: FastifyRequest,
  use: (sidecars: FormFile[]) => Promise<void>,
): Promise<void> {
  const contentLength = Number(request.headers['content-length'] ?? 0)
  if (contentLength > maxFormBytes) throw fileTooLarge(maxXmpBytes)
  await storage.ensureSpaceFor(contentLength, 'operator', { onlyCheck: true })
  const rules = {
    fileField: 'sidecars',
    textFields: [],
    maxFiles: maxMergedSidecars,
    maxFileBytes: maxXmpBytes,
    // Browsers have no media type for this extension.
    assertDeclaredType: () => undefined,
  }
  await withReceivedForm(storage, request, rules, async ({ files }) => {
    if (files.length === 0)
      throw invalidField('sidecars', 'sidecars is required: send XMP files in the field sidecars.')
    await use(files)
  })
}
