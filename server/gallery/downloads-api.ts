import type { FastifyReply, FastifyRequest } from 'fastify'
import { SlugParams } from '../../contract/gallery/gallery.ts'
import {
  DownloadAllQuery,
  DownloadEstimate,
  DownloadEstimateQuery,
  DownloadSelectedBody,
  DownloadSelectedQuery,
  GalleryZip,
  ZipOptions,
} from '../../contract/gallery/gallery-downloads.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { sendPhotoArchive } from '../downloads/photo-reply.ts'
import { findCategory } from '../events/categories/categories.ts'
import { type OpenGallery, registerGalleryHooks } from '../gallery-access/open-gallery-request.ts'
import { type PhotoChoice, type PhotoIds, parsePhotoIds, validatePhotoIds } from '../photos/lists/choose-photos.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { GalleryContext } from './gallery-context.ts'
import { parseGalleryFilter } from './gallery-filters.ts'
import { assertDownloadReady, type DownloadOptions, estimateDownload, planDownload } from './plan-download.ts'

const zipProblems: ProblemCode[] = ['DOWNLOAD_DISABLED', 'EVENT_ARCHIVED', 'DOWNLOAD_PREPARING', 'NO_PHOTOS']

export const downloadsApi = (ctx: GalleryContext) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  async function sendZip(
    request: FastifyRequest<{ Querystring: ZipOptions }>,
    reply: FastifyReply,
    choice: PhotoChoice,
  ): Promise<unknown> {
    const { gallery } = request
    const options = parseZipOptions(request.query)
    const planned = await planDownload(ctx, gallery, choice, options)
    assertDownloadReady(planned)
    reply.header('x-zip-withheld', String(planned.withheldCount))
    return sendPhotoArchive(request, reply, planned.archive, {
      downloadName: nameZip(gallery, choice, options, await findCategorySlug(choice)),
      onBegin: () => ctx.counts.countDownload(gallery.viewer),
    })
  }

  async function findCategorySlug({ ids, filter }: PhotoChoice): Promise<string | null> {
    if (ids || typeof filter?.category !== 'number') return null
    return (await findCategory(ctx.db, filter.category))?.slug ?? null
  }

  /** For guests, ids of hidden photos are rejected like unknown ones. */
  const choiceByIds = ({ viewer }: OpenGallery, ids: PhotoIds): PhotoChoice => ({
    ids,
    filter: { onlyVisible: viewer.kind === 'guest' },
  })

  app.get(
    '/:slug/download-all',
    {
      schema: {
        operationId: 'downloadAllPhotos',
        tags: ['downloads'],
        summary: 'Download all photos that match the filters as a ZIP',
        params: SlugParams,
        querystring: DownloadAllQuery,
        response: GalleryZip,
      },
      config: { problems: zipProblems },
    },
    async (request, reply) =>
      sendZip(request, reply, { filter: parseGalleryFilter(request.query, request.gallery.viewer) }),
  )

  app.get(
    '/:slug/download-selected',
    {
      schema: {
        operationId: 'downloadSelectedPhotos',
        tags: ['downloads'],
        summary: 'Download selected photos as a ZIP',
        params: SlugParams,
        querystring: DownloadSelectedQuery,
        response: GalleryZip,
      },
      config: { problems: [...zipProblems, 'INVALID_PHOTO_IDS'] },
    },
    async (request, reply) => {
      const { ids } = request.query
      if (ids === undefined) throw new AppError('INVALID_PHOTO_IDS')
      return sendZip(request, reply, choiceByIds(request.gallery, parsePhotoIds(ids)))
    },
  )

  app.post(
    '/:slug/download-selected',
    {
      schema: {
        operationId: 'downloadListedPhotos',
        tags: ['downloads'],
        summary: 'Download selected photos as a ZIP, with the IDs in the body',
        params: SlugParams,
        querystring: ZipOptions,
        body: DownloadSelectedBody,
        response: { 200: GalleryZip[200], 206: GalleryZip[206] },
      },
      config: { storesNothing: true, problems: [...zipProblems, 'INVALID_PHOTO_IDS'] },
    },
    (request, reply) => {
      const ids = validatePhotoIds('photo_ids', request.body.photo_ids)
      return sendZip(request, reply, choiceByIds(request.gallery, ids))
    },
  )

  app.get(
    '/:slug/download-estimate',
    {
      schema: {
        operationId: 'estimateDownload',
        tags: ['downloads'],
        summary: 'Get the size of a ZIP and whether it is ready',
        params: SlugParams,
        querystring: DownloadEstimateQuery,
        response: { 200: DownloadEstimate },
      },
      config: { problems: ['DOWNLOAD_DISABLED', 'EVENT_ARCHIVED', 'INVALID_PHOTO_IDS'] },
    },
    async ({ gallery, query }) => {
      const { ids } = query
      const filter = parseGalleryFilter(query, gallery.viewer)
      const choice = ids === undefined ? { filter } : { filter, ids: parsePhotoIds(ids) }
      return estimateDownload(await planDownload(ctx, gallery, choice, parseZipOptions(query)))
    },
  )
}

const parseZipOptions = ({ w, folders }: ZipOptions): DownloadOptions => ({
  widthPx: w === undefined ? null : Number(w),
  hasFolders: folders === 'category',
})

/** Returns a name by which guests can distinguish the archives of a gallery, such as `anna-ben-my-picks-2560px.zip`. */
function nameZip(
  { event, viewer }: OpenGallery,
  { ids, filter }: PhotoChoice,
  { widthPx }: DownloadOptions,
  category: string | null,
): string {
  const kinds = filter?.given?.kinds ?? []
  const isPicks = viewer.kind === 'guest' && !ids && kinds.length === 1 && kinds.every((kind) => pickKinds.has(kind))
  return [event.slug, category, isPicks && 'my-picks', widthPx !== null && `${widthPx}px`]
    .filter(Boolean)
    .join('-')
    .concat('.zip')
}

const pickKinds: ReadonlySet<string> = new Set(['favorite', 'like'])
