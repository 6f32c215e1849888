import type { FastifyReply, FastifyRequest } from 'fastify'
import { DoneReply } from '../../../contract/access.ts'
import { EnteredReply, ShareLoginBody, ShareLoginReply, VerifyBody } from '../../../contract/gallery/gallery.ts'
import { parseBearerToken } from '../../access/cookies.ts'
import { attempt } from '../../access/limits/delay-attempts.ts'
import { assertCookieWrite } from '../../access/same-origin-hook.ts'
import { type Entry, enterByLink, enterByPassword, entryFailureLimit } from '../../gallery-access/enter-gallery.ts'
import { createReturningGuestFinder, setEntryCookies } from '../../gallery-access/guest-identity-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { acceptAnyBody } from '../../platform/http/json-bodies.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { galleryInfo } from '../gallery-records.ts'

export const enteringApi = (ctx: GalleryContext) => async (app: Http) => {
  const enteredReply = async (request: FastifyRequest, reply: FastifyReply, entry: Entry) => {
    const { event, token } = entry
    ctx.counts.countEntry(entry.guest)
    await ctx.counts.flush()
    setEntryCookies(ctx, request, reply, entry)
    return { token, event: { id: event.id, slug: event.slug, ...galleryInfo(event, ctx.clock.now()) } }
  }

  app.post(
    '/share-login',
    {
      schema: {
        operationId: 'enterGalleryByLink',
        tags: ['account'],
        summary: 'Enter a gallery by its share link',
        body: ShareLoginBody,
        response: { 200: ShareLoginReply },
      },
      config: { isSignIn: true, problems: ['INVALID_CREDENTIALS', 'INVALID_TOKEN', 'NOT_FOUND', 'GALLERY_EXPIRED'] },
    },
    async (request, reply) => {
      const { slug, token: shareToken = null } = request.body
      const failures = entryFailureLimit(ctx, slug, request.ip)
      const entry = await attempt(failures, () =>
        enterByLink(ctx, { slug, shareToken }, createReturningGuestFinder(ctx, request)),
      )
      return entry === 'password' ? { requires_password: true as const } : enteredReply(request, reply, entry)
    },
  )

  app.post(
    '/verify',
    {
      schema: {
        operationId: 'enterGalleryByPassword',
        tags: ['account'],
        summary: 'Enter a gallery by its password',
        body: VerifyBody,
        response: { 200: EnteredReply },
      },
      config: { isSignIn: true, problems: ['INVALID_CREDENTIALS', 'INVALID_TOKEN', 'NOT_FOUND', 'GALLERY_EXPIRED'] },
    },
    async (request, reply) => {
      const { slug, password, share_token: shareToken = null } = request.body
      const given = { slug, shareToken, ip: request.ip, ...(password !== undefined && { password }) }
      const entry = await enterByPassword(ctx, given, createReturningGuestFinder(ctx, request))
      return enteredReply(request, reply, entry)
    },
  )

  await app.register(leavingApi(ctx))
}

/** More cookies with sessions do not fit into the headers of a request. */
const maxCookies = 200

/**
 * Accepts any body, so that a missing or invalid body does not prevent the sign-out. If the revocation cannot be stored,
 * the response is an error, but it still clears the cookies.
 */
const leavingApi = (ctx: GalleryContext) => async (app: Http) => {
  acceptAnyBody(app)
  app.post(
    '/logout',
    {
      schema: {
        operationId: 'leaveGallery',
        tags: ['account'],
        summary: 'Leave a gallery',
        response: { 200: DoneReply },
      },
    },
    async (request, reply) => {
      const bearer = parseBearerToken(request.headers.authorization)
      if (!bearer) assertCookieWrite(request, ctx.config.publicUrl)
      const ours = Object.keys(request.cookies).filter((name) => /^(gallery|guest)_\d+$/.test(name))
      const names = ours.slice(0, maxCookies)
      for (const name of names) reply.clearCookie(name, { path: '/' })
      const sessions = names.filter((name) => /^gallery_\d+$/.test(name)).map((name) => request.cookies[name])
      const ends = [bearer, ...sessions].map((token) => ({ token, type: 'gallery' as const }))
      await ctx.access.endSessions(ends, request.ip)
      return { success: true }
    },
  )
}
