import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refreshSeconds, sessionSeconds } from './session-tokens.ts'

export const adminCookie = 'admin_token'
export const refreshCookie = 'admin_refresh'
/** The browser sends the refresh cookie only to this route. */
const refreshPath = '/api/auth/refresh'
export const customerCookie = 'customer_token'
export const galleryCookie = (eventId: number): string => `gallery_${eventId}`
/** Recognizes a guest even after the gallery session has expired. */
export const guestCookie = (eventId: number): string => `guest_${eventId}`

/** `secure` is true if the request or PUBLIC_URL uses https. */
export const sessionCookie = (
  request: FastifyRequest,
  publicUrl: string | null,
  maxAge = sessionSeconds,
): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false),
  maxAge,
})

/** Both cookies live as long as the refresh token, so that an expired session can still be ended by signing out. */
export function setAdminSessionCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | null,
  { token, refreshToken }: { token: string; refreshToken: string },
): void {
  const options = sessionCookie(request, publicUrl, refreshSeconds)
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
