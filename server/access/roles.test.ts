import { expect, test } from 'vitest'
import { type Permission, permissions, type Role, roles, type Scope, scopes } from '../../contract/access.ts'
import { hasPermission, permissionsOf, scopeCovers, widestScope } from './roles.ts'

const editorMay: Permission[] = [
  'photos.upload',
  'photos.edit',
  'photos.view',
  'notes.view',
  'events.view',
  'events.create',
  'events.edit',
  'events.archive',
]
const mayByRole: Record<Role, readonly Permission[]> = {
  super_admin: permissions,
  admin: permissions,
  editor: editorMay,
  viewer: ['events.view', 'photos.view', 'notes.view'],
}

test.each(roles.map((role) => [role]))('the role %s has exactly the documented permissions', (role) => {
  expect(permissions.filter((permission) => hasPermission(role, permission)).sort()).toEqual(
    [...mayByRole[role]].sort(),
  )
})

test('admin implies write, write implies read, and not the reverse', () => {
  const covered = scopes.map((granted) => scopes.filter((required) => scopeCovers(granted, required)))
  expect(covered).toEqual([['read'], ['read', 'write'], ['read', 'write', 'admin']])
})

test.each<[Scope[], Scope]>([
  [['read'], 'read'],
  [['read', 'write'], 'write'],
  [['admin', 'read'], 'admin'],
  [['write', 'write', 'read'], 'write'],
  [[], 'read'],
])('the widest of %j is %s', (granted, widest) => {
  expect(widestScope(granted)).toBe(widest)
})

test.each(roles)('lists the permissions of a %s in the order of the contract', (role) => {
  expect(permissionsOf(role)).toEqual(permissions.filter((permission) => mayByRole[role].includes(permission)))
})
