import type { TestClient } from '../clients/test-client.ts'

const usersPath = '/api/admin/users'

let people = 0

export function newPerson(): { username: string; email: string } {
  const username = `person-${++people}`
  return { username, email: `${username}@studio.example` }
}

/** Creates an account that has not chosen a password yet. `token` is part of its invitation link. */
export async function invite(admin: TestClient, body: Record<string, unknown> = {}) {
  const person = { ...newPerson(), role: 'admin', ...body }
  const response = await admin.post(usersPath, person)
  if (response.status !== 201) throw new Error(`Nobody was invited: ${JSON.stringify(response.body)}`)
  return { ...person, id: response.body.id as number, token: readInviteToken(response.body.invite_url) }
}

export const readInviteToken = (inviteUrl: string): string => new URL(inviteUrl).pathname.replace('/invite/', '')

export const userPath = ({ id }: { id: number }, verb = ''): string => `${usersPath}/${id}${verb && `/${verb}`}`

export const deactivate = (admin: TestClient, user: { id: number }) => admin.post(userPath(user, 'deactivate'), {})
