import { type Permission, permissions, type Role, roles } from '../../../contract/access.ts'
import {
  type AdminRequest,
  adminRequests,
  type Outcome,
  type RequestValues,
  type RouteSubject,
} from './admin-requests.ts'
import { adminRoutes } from './routes.ts'

/** Relation of an operator to an event: created it, is a member, or neither. */
export const relations = ['creator', 'member', 'stranger'] as const
export type Relation = (typeof relations)[number]

export type AdminRow = AdminRequest & {
  route: string
  permission: Permission[]
  /** The only role that may call the route. */
  role?: Role | undefined
  subject: RouteSubject
  /** Parameters that can name something that does not exist or that belongs to others. */
  ids: Array<keyof RequestValues>
}

export const adminTable: AdminRow[] = adminRoutes
  .filter(({ route }) => route in adminRequests)
  .map(({ route, permission, role }) => {
    const row = adminRequests[route] ?? {}
    const inPath = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof RequestValues)
    const named = inPath.filter((name) => !['index', 'number', 'letter', 'language'].includes(name))
    const ids: Array<keyof RequestValues> = named.length === 0 && row.subject === 'event' ? ['event_id'] : named
    const required = [permission ?? []].flat() as Permission[]
    return { subject: inferSubject(ids), ...row, route, permission: required, role, ids }
  })

function inferSubject(ids: Array<keyof RequestValues>): RouteSubject {
  if (ids.includes('upload_id')) return 'upload'
  if (ids.some((id) => ['event_id', 'feedback_id', 'note_id', 'selection_id', 'category_id', 'mail_id'].includes(id)))
    return 'event'
  if (ids.includes('customer_id')) return 'customer'
  return ids.includes('token_id') ? 'account' : 'instance'
}

const missingPermissions: Record<Role, Permission[]> = {
  super_admin: [],
  admin: [],
  editor: ['photos.delete', 'events.delete', 'photos.download', 'settings.view', 'settings.edit'],
  viewer: permissions.filter((permission) => !['events.view', 'photos.view', 'notes.view'].includes(permission)),
}

export function getExpectedOutcome(
  { permission, role: onlyRole, subject }: GuardedRow,
  { role, relation }: Operator,
): Outcome {
  const isAllowed = (one: Permission): boolean => !missingPermissions[role].includes(one)
  if (!permission.every(isAllowed) || (onlyRole && role !== onlyRole)) return '403 FORBIDDEN'
  const isOwner = role === 'super_admin' || relation !== 'stranger'
  switch (subject) {
    case 'instance':
      return 'ok'
    case 'account':
      return relation === 'creator' ? 'ok' : '404 NOT_FOUND'
    case 'event':
      return isOwner ? 'ok' : '403 FORBIDDEN'
    case 'creator':
      return role === 'super_admin' || relation === 'creator' ? 'ok' : '403 FORBIDDEN'
    case 'upload':
      // Without this permission, an account cannot have opened the upload session of the request.
      if (isOwner) return isAllowed('photos.upload') ? 'ok' : '404 NOT_FOUND'
      return '403 FORBIDDEN'
    case 'customer':
      if (role === 'super_admin' || relation === 'creator') return 'ok'
      return relation === 'member' ? '403 FORBIDDEN' : '404 NOT_FOUND'
  }
}

type GuardedRow = Pick<AdminRow, 'permission' | 'role' | 'subject'>
export type Operator = { role: Role; relation: Relation }

export const operators: Operator[] = roles.flatMap((role) => relations.map((relation) => ({ role, relation })))

export const withMissingId = (values: RequestValues, id: keyof RequestValues): RequestValues => ({
  ...values,
  [id]: typeof values[id] === 'number' ? 999_999 : 'nothing',
})
