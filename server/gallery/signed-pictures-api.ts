import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { PictureAddresses, PictureAddressesQuery } from '../../contract/gallery/signed-pictures.ts'
import { IdParams } from '../../contract/shapes.ts'
import { limitRequest } from '../access/limits/rate-limit-hook.ts'
import { sendPreview } from '../downloads/photo-reply.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { guestProfile } from '../photos/renditions/guest-profile.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { addressKey } from '../platform/network/client-address.ts'
import type { AppContext } from '../settings/app-context.ts'
import { findSignedPicture } from './find-signed-picture.ts'
import type { GalleryContext } from './gallery-context.ts'
import { listPictureAddresses } from './list-picture-addresses.ts'
import { type PicturePath, pictureCacheControl } from './signed-picture-rules.ts'

/** Part of the public API. */
export const pictureAddressesApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/events/:event_id/picture-addresses',
    {
      schema: {
        operationId: 'listPictureAddresses',
        tags: ['photos'],
        summary: 'Get signed addresses of the pictures that guests see',
        description:
          'For websites: anybody with such an address gets the picture as guests do, without a token. Requires `allow_signed_pictures`. ' +
          'The addresses end at `expires_at`, and earlier with the share link or the password. They are the same when requested ' +
          'again within 5 minutes. They never give an original.',
        params: IdParams('event_id'),
        querystring: PictureAddressesQuery,
        response: { 200: PictureAddresses },
      },
      config: {
        scope: 'read',
        permission: 'photos.view',
        problems: ['SIGNED_PICTURES_DISABLED', 'EVENT_ARCHIVED', 'INVALID_PHOTO_IDS'],
      },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return listPictureAddresses(ctx, event, request.query, await ctx.settings.originFor(request))
    },
  )
}

// Parameters are not validated, so that a malformed address is NOT_FOUND.
const Path = Type.Object({
  photo_id: Type.String(),
  width: Type.String(),
  expires: Type.String(),
  signature: Type.String(),
})

export const signedPicturesApi = (ctx: GalleryContext) => async (app: Http) => {
  app.get('/pictures/:photo_id/:width/:expires/:signature', { schema: { params: Path } }, (request, reply) =>
    serveSignedPicture(ctx, request, reply),
  )
}

async function serveSignedPicture(
  ctx: GalleryContext,
  request: FastifyRequest<{ Params: PicturePath }>,
  reply: FastifyReply,
): Promise<unknown> {
  const picture = await findSignedPicture(ctx, request.params)
  if (picture === 'forged') {
    // Valid addresses do not count, because a website may fetch all its pictures from one address.
    await limitRequest(request, ctx.access.limits.forgedPictures(addressKey(request.ip)))
    throw new AppError('NOT_FOUND')
  }
  const { event, photo, widthPx, expiresAt } = picture
  reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'x-robots-tag': 'noindex' })
  return sendPreview(ctx, ctx.renditions, request, reply, {
    photo,
    width: widthPx,
    profile: guestProfile(event, await ctx.settings.values()),
    cacheControl: pictureCacheControl(ctx.clock.now(), expiresAt * 1000, event.expires_at),
  })
}
