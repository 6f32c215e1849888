import { type Permission, permissions, type Role, type Scope, scopes } from '../../contract/access.ts'
import type { AccountCaller } from './callers.ts'

const editorLacks: Permission[] = [
  'photos.delete',
  'photos.download',
  'events.delete',
  'settings.view',
  'settings.edit',
]

/** Access to an event also depends on its owner and members. */
const permissionsByRole: Record<Role, ReadonlySet<Permission>> = {
  super_admin: new Set(permissions),
  admin: new Set(permissions),
  editor: new Set(permissions.filter((permission) => !editorLacks.includes(permission))),
  viewer: new Set<Permission>(['events.view', 'photos.view', 'notes.view']),
}

export const permissionsOf = (role: Role): Permission[] =>
  permissions.filter((permission) => permissionsByRole[role].has(permission))

export const hasPermission = (role: Role, permission: Permission): boolean => permissionsByRole[role].has(permission)

/** Private notes also require a right of the API token, because tokens of earlier versions were made without it. */
export const canReadNotes = ({ user, tokenId, readsNotes = tokenId === undefined }: AccountCaller): boolean =>
  readsNotes && hasPermission(user.role, 'notes.view')

/** The scope `admin` includes `write`, and `write` includes `read`. */
export const scopeCovers = (granted: Scope, required: Scope): boolean =>
  scopes.indexOf(granted) >= scopes.indexOf(required)

export const widestScope = (granted: readonly Scope[]): Scope =>
  scopes[Math.max(0, ...granted.map((scope) => scopes.indexOf(scope)))] ?? 'read'
