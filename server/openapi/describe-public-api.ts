import type { RouteOptions } from 'fastify'
import { type ApiFamily, conventions, describeRoutes, quoteNames } from './describe-routes.ts'

const about = `
Events and photos of this instance, for integrations and scripts.

**Tokens.** Every call wants \`Authorization: Bearer prf_live_…\`. The scope \`admin\` implies \`write\`, and \`write\`
implies \`read\`; besides, the account that made the token must have the permission that a call names, and own the event.
Calls without a valid token are limited per address, those with one are not.

${conventions}.
`.trim()

const tags = [
  { name: 'events', description: 'Events from draft to archive, their share links and types' },
  { name: 'photos', description: 'Uploading and replacing photos, listing them with their marks, downloading them' },
]

const securitySchemes = {
  apiToken: { type: 'http', scheme: 'bearer', description: 'An API token, `prf_live_…`' },
}

const access: ApiFamily['access'] = ({ scope, permission }) => {
  const permissions = [permission ?? []].flat()
  return {
    text: `Wants scope \`${scope}\` and permission ${quoteNames(permissions)}.`,
    securityFields: { security: [{ apiToken: [] }], 'x-required-scope': scope, 'x-required-permission': permissions },
  }
}

export const describePublicApi = (routes: readonly RouteOptions[]): object =>
  describeRoutes({ title: 'Proofroom public API', about, tags, securitySchemes, access }, routes)
