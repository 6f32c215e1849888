import type { RouteOptions } from 'fastify'
import { type ApiFamily, conventions, describeRoutes, quoteNames } from './describe-routes.ts'

const about = `
Everything about events and photos, people and settings: for operators, by their session.

**Sessions.** \`signIn\` answers a token of 24 hours for \`Authorization: Bearer …\` and sets it as the cookie
\`admin_token\`. An API token (\`prf_live_…\`) opens nothing here. What changes something by cookie must come from the
pages of this service itself. A call may want a permission, which the role of the account has or has not, and whoever
calls must own the event that it is about.

${conventions}: this API goes with the web app of its version.
`.trim()

const tags = [
  { name: 'account', description: 'Signing in and out, the own account and its API tokens' },
  { name: 'events', description: 'Events from draft to archive, their members, guests, links and types' },
  { name: 'categories', description: 'What photos are sorted by, global or of one event' },
  { name: 'photos', description: 'Listing, changing and deleting photos, and pictures of them' },
  { name: 'uploads', description: 'Photos and videos on their way in, whole or in chunks' },
  { name: 'proofing', description: 'What guests and operators mark, the moderation of it, and taking it home' },
  { name: 'customers', description: 'Accounts of customers and the events that are open to them' },
  { name: 'people', description: 'Accounts of operators, their roles and invitations' },
  { name: 'settings', description: 'Settings of the instance and its branding' },
  { name: 'webhooks', description: 'Receivers of what happens, and what was delivered to them' },
  { name: 'mail', description: 'What was mailed, is to be mailed, or was kept' },
  { name: 'instance', description: 'How the service is doing, and what happened in it' },
]

const securitySchemes = {
  adminSession: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a session' },
  adminCookie: { type: 'apiKey', in: 'cookie', name: 'admin_token', description: 'The same, as browsers send it' },
}

const access: ApiFamily['access'] = ({ permission, role }) => {
  if (permission === undefined) return { text: 'Open to everybody.', securityFields: { security: [] } }
  const permissions = [permission ?? []].flat()
  const permissionText =
    permissions.length === 0 ? 'Open to every account.' : `Wants permission ${quoteNames(permissions)}.`
  return {
    text: role ? `Open to accounts of the role \`${role}\`.` : permissionText,
    securityFields: {
      security: [{ adminSession: [] }, { adminCookie: [] }],
      'x-required-permission': permissions,
      ...(role && { 'x-required-role': role }),
    },
  }
}

export const describeAdminApi = (routes: readonly RouteOptions[]): object =>
  describeRoutes({ title: 'Proofroom admin API', about, tags, securitySchemes, access }, routes)
