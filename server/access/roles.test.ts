import { expect, test } from 'vitest'
import { type Permission, permissions, type Role, roles, type Scope, scopes } from '../../contract/access.ts'
import type { AccountCaller } from './callers.ts'
import { canReadNotes, hasPermission, permissionsOf, scopeCovers, widestScope } from './roles.ts'

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

test('a role has exactly the documented permissions, in the order of the contract', () => {
  for (const role of roles) {
    const expected = permissions.filter((permission) => mayByRole[role].includes(permission))
    expect(permissions.filter((permission) => hasPermission(role, permission))).toEqual(expected)
    expect(permissionsOf(role)).toEqual(expected)
  }
})

test('a session reads private notes, an API token only with its right', () => {
  const caller = (more: Partial<AccountCaller>) => ({ user: { role: 'viewer' }, ...more }) as AccountCaller
  expect(canReadNotes(caller({}))).toBe(true)
  expect(canReadNotes(caller({ tokenId: 1 }))).toBe(false)
  expect(canReadNotes(caller({ tokenId: 1, readsNotes: false }))).toBe(false)
  expect(canReadNotes(caller({ tokenId: 1, readsNotes: true }))).toBe(true)
  expect(canReadNotes(caller({ readsNotes: false }))).toBe(false)
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
