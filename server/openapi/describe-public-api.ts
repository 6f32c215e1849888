import type { RouteOptions } from 'fastify'
import { describeDeliveries } from './describe-deliveries.ts'
import { type ApiFamily, conventions, describeRoutes, quoteNames } from './describe-routes.ts'

const about = `
Events and photos of this instance, for integrations and scripts.

**Tokens.** Every call requires \`Authorization: Bearer prf_live_…\`. The scope \`admin\` implies \`write\`, and \`write\`
implies \`read\`. The account of the token must also have the permission of the call and own the event. Calls without a
valid token are rate-limited per address. Calls with a valid token are not. Tokens that were moved from PicPeak
(\`pp_live_…\`) work in the same way.

${conventions}.
`.trim()

const tags = [
  { name: 'account', description: 'The account and the scope of the token' },
  { name: 'events', description: 'Events from draft to archive, their share links and types' },
  { name: 'photos', description: 'Upload, replace, list, change, delete and download photos' },
  { name: 'uploads', description: 'Upload large photos and videos in chunks' },
  { name: 'categories', description: 'Categories of the photos of an event' },
  { name: 'proofing', description: 'Marks, picks, selections, comments and exports' },
  { name: 'customers', description: 'Customers and the events that are assigned to them' },
  { name: 'webhooks', description: 'Webhooks that get changes of your events' },
  { name: 'deliveries', description: 'What this instance sends to your webhooks' },
]

const securitySchemes = {
  apiToken: { type: 'http', scheme: 'bearer', description: 'An API token, `prf_live_…`' },
}

const access: ApiFamily['access'] = ({ config: { scope, permission } = {} }) => {
  const permissions = [permission ?? []].flat()
  return {
    text: `Requires scope \`${scope}\`${permissions.length > 0 ? ` and permission ${quoteNames(permissions)}` : ''}.`,
    securityFields: { security: [{ apiToken: [] }], 'x-required-scope': scope, 'x-required-permission': permissions },
  }
}

export const describePublicApi = (routes: readonly RouteOptions[]): object =>
  describeRoutes(
    { title: 'Proofroom public API', about, tags, securitySchemes, access, webhooks: describeDeliveries },
    routes,
  )
