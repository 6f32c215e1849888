/**
 * The default headers of every response; pages, for example, replace the policy. No header depends on the request, so
 * the fast path for thumbnails sends the same object.
 */
export const securityHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
}

/** For a picture or video that is opened as a page: browsers add a page with inline styles around it. */
export const pictureSecurityPolicy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** For a mail as it was sent: inline styles, no scripts, and links that open a new window. */
export const mailSecurityPolicy =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/**
 * Pages connect only to this server, and load scripts, styles, fonts, pictures and videos only from it. Pictures may also have
 * `data:` and `blob:` addresses.
 */
export const pageSecurityPolicy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src 'self'; style-src 'self'; font-src data: 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
