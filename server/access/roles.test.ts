import { expect, test } from 'vitest'
import { type Permission, permissions, type Role, roles, type Scope, scopes } from '../../contract/access.ts'
import { mayDo, permissionsOf, scopeCovers, widestScope } from './roles.ts'

/** Decisions §5: editor has no delete, no download, no settings; viewer looks only. */
const editorMay: Permission[] = [
  'photos.upload',
  'photos.edit',
  'photos.view',
  'events.view',
  'events.create',
  'events.edit',
  'events.archive',
]
const mayByRole: Record<Role, readonly Permission[]> = {
  super_admin: permissions,
  admin: permissions,
  editor: editorMay,
  viewer: ['events.view', 'photos.view'],
}

test.each(roles.map((role) => [role]))('the role %s may do what is written down and nothing else', (role) => {
  expect(permissions.filter((permission) => mayDo(role, permission)).sort()).toEqual([...mayByRole[role]].sort())
})

test('admin implies write implies read, and never the other way round', () => {
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

test.each(roles)('the permissions of a %s are listed in the order of the contract', (role) => {
  expect(permissionsOf(role)).toEqual(permissions.filter((permission) => mayByRole[role].includes(permission)))
})
