import {
  GalleryInfo,
  GalleryList,
  GalleryListQuery,
  GalleryOutline,
  GalleryOutlineQuery,
  PhotoParams,
  SlugParams,
} from '../../contract/gallery/gallery.ts'
import { GalleryDownloadQuery } from '../../contract/gallery/gallery-downloads.ts'
import { PreviewPhotoQuery } from '../../contract/photos.ts'
import { fileReplies } from '../../contract/shapes.ts'
import { categoryRecord } from '../events/categories/categories.ts'
import { noFeedback } from '../feedback/own-feedback.ts'
import { openGallery } from '../gallery-access/open-gallery-request.ts'
import { pictureProblems } from '../photos/renditions/thumbnail-reply.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { compressResponses, sendSerialized } from '../platform/http/compression.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { GalleryContext } from './gallery-context.ts'
import { galleryInfo, galleryPhoto } from './gallery-records.ts'
import { serveDownload, servePhoto, serveThumbnail } from './guest-photo-reply.ts'
import { listGallery } from './list-gallery.ts'
import { loadOutline } from './load-outline.ts'
import { isPreviewRequest } from './preview-request.ts'

/** Every route except `info` must call `openGallery`, and every route that sends a file `assertViewable`. */
export const galleryApi = (ctx: GalleryContext) => async (app: Http) => {
  await compressResponses(app, /^application\/json/)
  const { clock } = ctx

  app.get(
    '/:slug/info',
    {
      schema: {
        operationId: 'getGalleryInfo',
        tags: ['gallery'],
        summary: 'Get the public information of a gallery',
        params: SlugParams,
        response: { 200: GalleryInfo },
      },
    },
    async (request) => {
      const { slug } = request.params
      const event = await ctx.galleries.event(slug)
      if (!event) throw new AppError('NOT_FOUND')
      const isHidden = event.is_draft === 1 || event.is_archived === 1
      // For everybody but their operators, drafts and archived events do not exist.
      if (isHidden) await openGallery(ctx, request, slug).catch(asNotFound)
      return galleryInfo(event, clock.now())
    },
  )

  app.get(
    '/:slug/photos',
    {
      schema: {
        operationId: 'listGalleryPhotos',
        tags: ['photos'],
        summary: 'Get one page of the photos of a gallery',
        params: SlugParams,
        querystring: GalleryListQuery,
        response: { 200: GalleryList },
      },
    },
    async (request) => {
      const gallery = await openGallery(ctx, request, request.params.slug)
      const { page, limit } = request.query
      const listed = await listGallery(ctx, gallery, request.query, { isPreviewRequest: isPreviewRequest(request) })
      const { photos, own, total, filtered, categories, videoCount, isBeforeReveal } = listed
      return {
        event: galleryInfo(gallery.event, clock.now()),
        categories: categories.map(categoryRecord),
        photos: photos.map((photo) => galleryPhoto(gallery.event, photo, own.get(photo.id) ?? noFeedback)),
        hidden_until_reveal: isBeforeReveal,
        video_count: videoCount,
        pagination: { page, limit, total, filtered, pages: Math.ceil(filtered / limit) },
      }
    },
  )

  app.get(
    '/:slug/outline',
    {
      schema: {
        operationId: 'getGalleryOutline',
        tags: ['photos'],
        summary: 'Get the IDs and dimensions of all photos in the list',
        params: SlugParams,
        querystring: GalleryOutlineQuery,
        response: { 200: GalleryOutline },
      },
    },
    async (request, reply) => {
      const outline = await loadOutline(ctx, await openGallery(ctx, request, request.params.slug), request.query)
      return 'json' in outline ? sendSerialized(request, reply, outline) : outline
    },
  )

  app.get(
    '/:slug/photo/:photo_id',
    {
      schema: {
        operationId: 'getGalleryPhoto',
        tags: ['photos'],
        summary: 'Get a photo, or with `w` a preview',
        params: PhotoParams,
        querystring: PreviewPhotoQuery,
        response: fileReplies(['image/*', 'video/*'], 'The original as guests get it, or a preview'),
      },
      config: { problems: [...pictureProblems, 'STORAGE_FULL'] },
    },
    (request, reply) => servePhoto(ctx, request, reply),
  )

  app.get(
    '/:slug/thumbnail/:photo_id',
    {
      schema: {
        operationId: 'getGalleryThumbnail',
        tags: ['photos'],
        summary: 'Get the thumbnail of a photo',
        params: PhotoParams,
        response: fileReplies('image/*', 'The thumbnail'),
      },
      config: { problems: pictureProblems },
    },
    (request, reply) => serveThumbnail(ctx, request, reply),
  )

  app.get(
    '/:slug/download/:photo_id',
    {
      schema: {
        operationId: 'downloadGalleryPhoto',
        tags: ['downloads'],
        summary: 'Download a photo',
        params: PhotoParams,
        querystring: GalleryDownloadQuery,
        response: fileReplies(['image/*', 'video/*'], 'The photo as guests get it, with its original file name', [
          'Content-Disposition',
        ]),
      },
      config: { problems: [...pictureProblems, 'DOWNLOAD_DISABLED', 'EVENT_ARCHIVED', 'STORAGE_FULL'] },
    },
    (request, reply) => serveDownload(ctx, request, reply),
  )
}

function asNotFound(error: unknown): never {
  throw error instanceof AppError ? new AppError('NOT_FOUND') : error
}
