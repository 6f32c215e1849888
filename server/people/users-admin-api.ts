import type { FastifyRequest } from 'fastify'
import { roles } from '../../contract/access.ts'
import {
  AccountList,
  AccountRecord,
  ChangeUserBody,
  CreateUserBody,
  InvitedAccount,
  RoleList,
  TransferOwnershipBody,
  TransferredOwnership,
} from '../../contract/people.ts'
import { IdParams, PageQuery } from '../../contract/shapes.ts'
import type { User } from '../access/account-rows.ts'
import { permissionsOf } from '../access/roles.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { changeUser, deactivateUser, removeUserSecondFactor } from './change-user.ts'
import { addUser, resetUserPassword } from './invite-user.ts'
import { accountRecord, listUsers } from './list-users.ts'
import { invitePath } from './mail-invite.ts'
import { type OwnershipTransfer, transferOwnership } from './transfer-ownership.ts'

const tags = ['people']
const params = IdParams('user_id')
/** Only super_admins manage accounts. The role `admin` has all permissions, so a permission could not exclude it. */
const guard = { permission: null, role: 'super_admin' } as const

export const usersAdminApi = (ctx: AppContext, transferCustomers: OwnershipTransfer) => async (app: Http) => {
  const toInvitedAccount = async (
    request: FastifyRequest,
    { user, inviteToken }: { user: User; inviteToken: string | null },
  ) => ({
    ...(await accountRecord(ctx, user)),
    invite_url: inviteToken && (await ctx.settings.originFor(request)) + invitePath(inviteToken),
  })

  app.get(
    '/users',
    {
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'All accounts',
        querystring: PageQuery,
        response: { 200: AccountList },
      },
      config: guard,
    },
    (request) => listUsers(ctx, request.query),
  )

  app.post(
    '/users',
    {
      schema: {
        operationId: 'createUser',
        tags,
        summary: 'Make an account, or invite somebody to one',
        description: 'Without a password a link is mailed, and answered here, by which it is chosen.',
        body: CreateUserBody,
        response: { 201: InvitedAccount },
      },
      config: { ...guard, problems: ['USER_EXISTS'] },
    },
    async (request, reply) => reply.code(201).send(await toInvitedAccount(request, await addUser(ctx, request.body))),
  )

  app.patch(
    '/users/:user_id',
    {
      schema: {
        operationId: 'changeUser',
        tags,
        summary: 'Change an account, deactivate it or bring it back',
        description: 'Only what is sent is changed. Another address makes an open invitation void.',
        params,
        body: ChangeUserBody,
        response: { 200: AccountRecord },
      },
      config: { ...guard, problems: ['USER_EXISTS', 'OWN_ACCOUNT', 'LAST_SUPER_ADMIN'] },
    },
    async ({ caller, params: { user_id: id }, body }) => accountRecord(ctx, await changeUser(ctx, caller, id, body)),
  )

  app.post(
    '/users/:user_id/deactivate',
    {
      schema: {
        operationId: 'deactivateUser',
        tags,
        summary: 'End an account’s sessions, sign-in and API tokens',
        description: 'Its events stay and can be handed over. A change of `is_active` brings it back.',
        params,
        response: { 200: AccountRecord },
      },
      config: { ...guard, problems: ['OWN_ACCOUNT', 'LAST_SUPER_ADMIN'] },
    },
    async ({ caller, params: { user_id: id } }) => accountRecord(ctx, await deactivateUser(ctx, caller, id)),
  )

  app.post(
    '/users/:user_id/reset-password',
    {
      schema: {
        operationId: 'resetUserPassword',
        tags,
        summary: 'Have a new password chosen by a link',
        description:
          'The former password and all sessions end at once. The link is mailed, and answered here; for an account that ' +
          'was invited it is a new invitation. API tokens stay: `revoke-tokens` ends them.',
        params,
        response: { 200: InvitedAccount },
      },
      config: { ...guard, problems: ['OWN_ACCOUNT', 'LAST_SUPER_ADMIN', 'INVALID_STATE'] },
    },
    async (request) => toInvitedAccount(request, await resetUserPassword(ctx, request.caller, request.params.user_id)),
  )

  app.post(
    '/users/:user_id/hand-over',
    {
      schema: {
        operationId: 'handOverEvents',
        tags,
        summary: 'Give the events of a deactivated account to another',
        description: 'Its customers go along. Memberships in events of others do not.',
        params,
        body: TransferOwnershipBody,
        response: { 200: TransferredOwnership },
      },
      config: { ...guard, problems: ['INVALID_STATE'] },
    },
    async ({ params: { user_id: fromId }, body: { to_user_id: toId } }) => ({
      id: fromId,
      to_user_id: toId,
      ...(await transferOwnership(ctx, { fromId, toId }, transferCustomers)),
    }),
  )

  app.post(
    '/users/:user_id/remove-second-factor',
    {
      schema: {
        operationId: 'removeUserSecondFactor',
        tags,
        summary: 'Let an account sign in by its password alone',
        description: 'For whoever has lost the authenticator and the recovery codes.',
        params,
        response: { 200: AccountRecord },
      },
      config: { ...guard, problems: ['OWN_ACCOUNT'] },
    },
    async ({ caller, params: { user_id: id } }) => accountRecord(ctx, await removeUserSecondFactor(ctx, caller, id)),
  )

  app.get(
    '/roles',
    {
      schema: { operationId: 'listRoles', tags, summary: 'What each role may do', response: { 200: RoleList } },
      config: guard,
    },
    async () => ({
      roles: roles.map((role) => ({ role, all_events: role === 'super_admin', permissions: permissionsOf(role) })),
    }),
  )
}
