import type { RouteOptions } from 'fastify'
import { type ApiFamily, conventions, describeRoutes, quoteNames } from './describe-routes.ts'

const about = `
Events, photos, people and settings: for operators with a session.

**Sessions.** \`signIn\` returns a token for \`Authorization: Bearer …\` that is valid for 24 hours, and sets it as the cookie
\`admin_token\`. API tokens (\`prf_live_…\`) are not accepted. Requests that change data with the cookie must come from
the pages of this service. A call can require a permission, which depends on the role of the account, and the caller
must own the event.

${conventions}: this API goes with the web app of its version.
`.trim()

const tags = [
  { name: 'account', description: 'Sign-in and sign-out, your own account and its API tokens' },
  { name: 'events', description: 'Events from draft to archive, their members, guests, links and types' },
  { name: 'categories', description: 'Categories of photos, global or of one event' },
  { name: 'photos', description: 'List, change and delete photos, and get their pictures' },
  { name: 'uploads', description: 'Upload photos and videos, as a whole or in chunks' },
  { name: 'trash', description: 'Photos and events that were deleted in the admin app, for 30 days' },
  { name: 'proofing', description: 'Feedback of guests and operators, moderation and exports' },
  { name: 'customers', description: 'Customers and the events that are assigned to them' },
  { name: 'people', description: 'Accounts of operators, their roles and invitations' },
  { name: 'settings', description: 'Settings of the instance and its branding' },
  { name: 'webhooks', description: 'Webhooks and their deliveries' },
  { name: 'mail', description: 'Sent, queued and kept emails' },
  { name: 'instance', description: 'Health, activity and maintenance of the instance' },
]

const securitySchemes = {
  adminSession: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a session' },
  adminCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'admin_token',
    description: 'The same token as a cookie, for browsers',
  },
}

const access: ApiFamily['access'] = ({ config: { permission, role } = {} }) => {
  if (permission === undefined) return { text: 'No authentication required.', securityFields: { security: [] } }
  const permissions = [permission ?? []].flat()
  const permissionText =
    permissions.length === 0 ? 'Open to every account.' : `Requires permission ${quoteNames(permissions)}.`
  const andPermission = permissions.length === 0 ? '' : ` ${permissionText}`
  return {
    text: role ? `Open to accounts of the role \`${role}\`.${andPermission}` : permissionText,
    securityFields: {
      security: [{ adminSession: [] }, { adminCookie: [] }],
      'x-required-permission': permissions,
      ...(role && { 'x-required-role': role }),
    },
  }
}

export const describeAdminApi = (routes: readonly RouteOptions[]): object =>
  describeRoutes({ title: 'Proofroom admin API', about, tags, securitySchemes, access }, routes)
