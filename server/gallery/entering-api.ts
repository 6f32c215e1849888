import type { FastifyReply, FastifyRequest } from 'fastify'
import { DoneReply } from '../../contract/access.ts'
import { EnteredReply, ShareLoginBody, ShareLoginReply, VerifyBody } from '../../contract/gallery.ts'
import { bearerOf, galleryCookie, sessionCookie } from '../access/cookies.ts'
import { judgeCookieWrite } from '../access/same-origin.ts'
import { attempt } from '../access/sign-in-attempts.ts'
import type { Http } from '../platform/http/create-http.ts'
import { type Entry, enterByLink, enterByPassword, enteringFailures } from './enter-gallery.ts'
import type { GalleryHouse } from './gallery-house.ts'
import { galleryInfo } from './gallery-records.ts'

/** `/api/auth/gallery`: how guests come in and leave. */
export const enteringApi = (house: GalleryHouse) => async (app: Http) => {
  const enteredReply = async (request: FastifyRequest, reply: FastifyReply, { event, token }: Entry) => {
    await house.counts.settled()
    reply.setCookie(galleryCookie(event.id), token, sessionCookie(request, house.config.publicUrl))
    return { token, event: { id: event.id, slug: event.slug, ...galleryInfo(event, house.clock.now()) } }
  }

  app.post(
    '/share-login',
    {
      schema: { summary: 'Enter by the link', body: ShareLoginBody, response: { 200: ShareLoginReply } },
      config: { isSignIn: true },
    },
    async (request, reply) => {
      const { slug, token } = request.body
      const failures = enteringFailures(house, slug, request.ip)
      const entry = await attempt(failures, () => enterByLink(house, slug, token))
      return entry === 'password' ? { requires_password: true as const } : enteredReply(request, reply, entry)
    },
  )

  app.post(
    '/verify',
    {
      schema: { summary: 'Enter by password', body: VerifyBody, response: { 200: EnteredReply } },
      config: { isSignIn: true },
    },
    async (request, reply) => {
      const { slug, password, share_token: shareToken = null } = request.body
      const entry = await enterByPassword(house, { slug, password, shareToken, ip: request.ip })
      return enteredReply(request, reply, entry)
    },
  )

  app.post('/logout', { schema: { summary: 'Leave', response: { 200: DoneReply } } }, async (request, reply) => {
    const bearer = bearerOf(request.headers.authorization)
    if (!bearer) judgeCookieWrite(request, house.config.publicUrl)
    const cookies = Object.entries(request.cookies).filter(([name]) => /^gallery_\d+$/.test(name))
    for (const [name] of cookies) reply.clearCookie(name, { path: '/' })
    const tokens = bearer ? [bearer] : cookies.flatMap(([, token]) => token ?? [])
    for (const token of tokens) await house.access.endSession(token, 'gallery')
    return { success: true }
  })
}
