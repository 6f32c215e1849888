import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refreshSeconds, sessionSeconds } from './session-tokens.ts'

export const adminCookie = 'admin_token'
export const refreshCookie = 'admin_refresh'
/** The one route that is sent the cookie. */
const refreshPath = '/api/auth/refresh'
export const customerCookie = 'customer_token'
export const galleryCookie = (eventId: number): string => `gallery_${eventId}`
/** Says who the guest of a browser is, for longer than its sessions last. */
export const guestCookie = (eventId: number): string => `guest_${eventId}`

/** Secure when the request or PUBLIC_URL is https. */
export const sessionCookie = (request: FastifyRequest, publicUrl: string | null): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false),
  maxAge: sessionSeconds,
})

/**
 * Keeps an admin session in the browser, and what renews it. The session's cookie outlives the session: who signs out
 * after a week still sends what names the sign-in to be ended.
 */
export function keepAdminSession(
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

/** The token of an Authorization header; null without one. */
export function bearerOf(header: string | undefined): string | null {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
  return token ?? null
}
