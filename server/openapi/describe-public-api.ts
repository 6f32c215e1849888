import type { RouteOptions } from 'fastify'
import { type ApiFamily, conventions, describeRoutes, quoteNames } from './describe-routes.ts'

const about = `
Events and photos of this instance, for integrations and scripts.

**Tokens.** Every call requires \`Authorization: Bearer prf_live_…\`. The scope \`admin\` implies \`write\`, and \`write\`
implies \`read\`. The account of the token must also have the permission of the call and own the event. Calls without a
valid token are rate-limited per address. Calls with a valid token are not.

${conventions}.
`.trim()

const tags = [
  { name: 'events', description: 'Events from draft to archive, their share links and types' },
  { name: 'photos', description: 'Upload, replace, list and download photos' },
]

const securitySchemes = {
  apiToken: { type: 'http', scheme: 'bearer', description: 'An API token, `prf_live_…`' },
}

const access: ApiFamily['access'] = ({ scope, permission }) => {
  const permissions = [permission ?? []].flat()
  return {
    text: `Requires scope \`${scope}\` and permission ${quoteNames(permissions)}.`,
    securityFields: { security: [{ apiToken: [] }], 'x-required-scope': scope, 'x-required-permission': permissions },
  }
}

export const describePublicApi = (routes: readonly RouteOptions[]): object =>
  describeRoutes({ title: 'Proofroom public API', about, tags, securitySchemes, access }, routes)
