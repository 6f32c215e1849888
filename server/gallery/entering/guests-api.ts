import { SlugParams } from '../../../contract/gallery/gallery.ts'
import {
  GallerySession,
  GuestLinkReply,
  GuestReply,
  NamedGuestReply,
  NameGuestBody,
  ResolvedGallery,
  ResolveParams,
} from '../../../contract/gallery/guests.ts'
import { guestRecord } from '../../events/guests/guest-rows.ts'
import {
  getGuestCaller,
  getSessionEnd,
  registerGalleryHooks,
  resolveGallery,
} from '../../gallery-access/open-gallery-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { isoTime, isoTimeOrNull } from '../../platform/time/clock.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { galleryInfo } from '../gallery-records.ts'
import { createGuestLink } from './guest-device-links.ts'
import { loadGuestContact, nameSessionGuest } from './name-session-guest.ts'

export const guestsApi = (ctx: GalleryContext) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  app.get(
    '/resolve/:identifier',
    {
      schema: {
        operationId: 'findGallery',
        tags: ['gallery'],
        summary: 'Find the gallery of a slug or a share token',
        params: ResolveParams,
        response: { 200: ResolvedGallery },
      },
    },
    async (request) => {
      const event = await resolveGallery(ctx, request, request.params.identifier)
      return { slug: event.slug, requires_password: event.require_password === 1 }
    },
  )

  app.get(
    '/:slug/session',
    {
      schema: {
        operationId: 'getGallerySession',
        tags: ['guest'],
        summary: 'Get the session in a gallery',
        params: SlugParams,
        response: { 200: GallerySession },
      },
    },
    async (request) => {
      const { gallery } = request
      const { event, viewer } = gallery
      return {
        kind: viewer.kind,
        guest: viewer.kind === 'guest' ? await loadGuestContact(ctx, viewer.guest) : null,
        expires_at: isoTimeOrNull(getSessionEnd(ctx, request, gallery)),
        event: galleryInfo(event, ctx.clock.now()),
      }
    },
  )

  app.get(
    '/:slug/guest',
    {
      schema: {
        operationId: 'getGuest',
        tags: ['guest'],
        summary: 'Get the guest data that the photographer sees',
        params: SlugParams,
        response: { 200: GuestReply },
      },
    },
    async ({ gallery }) => ({ guest: await loadGuestContact(ctx, getGuestCaller(gallery)) }),
  )

  app.post(
    '/:slug/guest',
    {
      schema: {
        operationId: 'nameGuest',
        tags: ['guest'],
        summary: 'Set the name of the guest',
        params: SlugParams,
        body: NameGuestBody,
        response: { 200: NamedGuestReply },
      },
      config: { storesGuest: true },
    },
    async ({ gallery, body }) => {
      const { guest, token } = await nameSessionGuest(ctx, getGuestCaller(gallery), body)
      return { guest: guestRecord(guest), token }
    },
  )

  app.post(
    '/:slug/guest/link',
    {
      schema: {
        operationId: 'createDeviceLink',
        tags: ['guest'],
        summary: 'Create a link to continue on another device',
        params: SlugParams,
        response: { 200: GuestLinkReply },
      },
    },
    async (request) => {
      const { url, expiresAt } = await createGuestLink(ctx, request, request.gallery)
      return { url, expires_at: isoTime(expiresAt) }
    },
  )
}
