import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refreshSeconds, sessionSeconds } from './session-tokens.ts'

export const adminCookie = 'admin_token'
export const refreshCookie = 'admin_refresh'
/** The only route that receives the cookie. */
const refreshPath = '/api/auth/refresh'
export const customerCookie = 'customer_token'
export const galleryCookie = (eventId: number): string => `gallery_${eventId}`
/** Identifies the guest of a browser for longer than a session. */
export const guestCookie = (eventId: number): string => `guest_${eventId}`

/** Secure if the request or PUBLIC_URL uses https. */
export const sessionCookie = (request: FastifyRequest, publicUrl: string | null): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false),
  maxAge: sessionSeconds,
})

/** The session cookie outlives the session, so that a sign-out after a week still identifies the sign-in to end. */
export function setAdminSessionCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | null,
  { token, refreshToken }: { token: string; refreshToken: string },
): void {
  const options = { ...sessionCookie(request, publicUrl), maxAge: refreshSeconds }
  reply.setCookie(adminCookie, token, options)
  reply.setCookie(refreshCookie, refreshToken, { ...options, path: refreshPath })
}

export function clearAdminSession(reply: FastifyReply): void {
  reply.clearCookie(adminCookie, { path: '/' })
  reply.clearCookie(refreshCookie, { path: refreshPath })
}

export function parseBearerToken(header: string | undefined): string | null {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
  return token ?? null
}
