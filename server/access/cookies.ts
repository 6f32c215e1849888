import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { sessionSeconds } from './session-tokens.ts'

export const adminCookie = 'admin_token'
export const customerCookie = 'customer_token'
export const galleryCookie = (eventId: number): string => `gallery_${eventId}`
/** Says who the guest of a browser is, for longer than its sessions last. */
export const guestCookie = (eventId: number): string => `guest_${eventId}`

/** Secure when the request or PUBLIC_URL is https (decisions §8). */
export const sessionCookie = (request: FastifyRequest, publicUrl: string | null): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false),
  maxAge: sessionSeconds,
})

/** The token of an Authorization header; null without one. */
export function bearerOf(header: string | undefined): string | null {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
  return token ?? null
}
