/**
 * Sent with every answer, made once. Written out here rather than by a middleware: the short path that serves
 * thumbnails from memory sends the very same set, and none of them depends on the request.
 */
export const securityHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
}

/** A picture or a video opened by itself: browsers show it in a page of their own, which they style. */
export const pictureSecurityPolicy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** A letter as it was mailed: it has its style in itself, and nothing in it runs; its links open pages of their own. */
export const letterSecurityPolicy =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/** Pages load their own script, style, pictures and videos, speak to this server, and nothing else. */
export const pageSecurityPolicy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
