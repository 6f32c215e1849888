import type { RouteOptions } from 'fastify'
import { type ApiFamily, conventions, describeRoutes } from './describe-routes.ts'

const about = `
What guests and customers see: for gallery apps and websites of your own.

**Sessions.** \`enterGalleryByLink\` and \`enterGalleryByPassword\` return a token for \`Authorization: Bearer …\`, which is valid
for one gallery, and set it as a cookie. The session of an operator opens the galleries of their events. \`signInCustomer\`
returns a token for the calls below \`/api/customer\`; \`enterOwnGallery\` then opens a gallery. Requests that change data with a
cookie must come from the pages of this service.

**Guests.** Each session belongs to a guest. To stay the same guest, send the token of \`nameGuest\` as \`X-Guest-Token\`.

${conventions}: the apps of this service use these calls too.
`.trim()

const tags = [
  { name: 'account', description: 'Enter and leave a gallery' },
  { name: 'gallery', description: 'What everybody may know of a gallery' },
  { name: 'photos', description: 'The list of a gallery and its pictures' },
  { name: 'downloads', description: 'Photos one by one and as a ZIP' },
  { name: 'guest', description: 'The guest of the session' },
  { name: 'feedback', description: 'Ratings, color labels, likes, favorites and comments' },
  { name: 'selections', description: 'Picks that are submitted to the photographer' },
  { name: 'notes', description: 'Private notes to the photographer' },
  { name: 'threads', description: 'Answers to comments and notes, pins and boxes on photos' },
  { name: 'uploads', description: 'Photos from guests, if the event accepts them' },
  { name: 'customers', description: 'Sign-in of customers and the galleries that are assigned to them' },
]

const securitySchemes = {
  gallerySession: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a gallery session',
  },
  customerSession: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a customer' },
  customerCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'customer_token',
    description: 'The same token as a cookie, for browsers',
  },
}

const isOpen = /^\/api\/(gallery\/(resolve\/:identifier|:slug\/info)$|oembed$|(customer\/)?auth\/)/

const access: ApiFamily['access'] = ({ url }) => {
  if (isOpen.test(url)) return { text: 'No authentication required.', securityFields: { security: [] } }
  if (!url.startsWith('/api/customer/')) {
    return { text: 'Requires a session in this gallery.', securityFields: { security: [{ gallerySession: [] }] } }
  }
  return {
    text: 'Requires the session of a customer.',
    securityFields: { security: [{ customerSession: [] }, { customerCookie: [] }] },
  }
}

export const describeGalleryApi = (routes: readonly RouteOptions[]): object =>
  describeRoutes({ title: 'Proofroom gallery API', about, tags, securitySchemes, access }, routes)
