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
import { Created, IdParams, PageQuery } from '../../contract/shapes.ts'
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
        summary: 'List all accounts',
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
        summary: 'Create or invite an account',
        description: 'Without a password, a link to choose one is emailed and returned in the response.',
        body: CreateUserBody,
        response: { 201: Created(InvitedAccount) },
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
        summary: 'Change, deactivate or reactivate an account',
        description: 'Changes only the fields that are sent. A new email address invalidates an open invitation.',
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
        summary: 'Deactivate an account and end its sessions and API tokens',
        description: 'Its events are kept and can be transferred. Set `is_active` to reactivate the account.',
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
        summary: 'Reset a password and create a link to choose a new one',
        description:
          'The password and all sessions become invalid at once. The link is emailed and returned in the response; for an account that ' +
          'was invited, it is a new invitation. API tokens stay valid; use `revoke-tokens` to revoke them.',
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
        summary: 'Transfer the events of a deactivated account',
        description: 'Its customers are transferred too, but not its memberships in events of other accounts.',
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
        summary: 'Remove the second factor of an account',
        description: 'For accounts that have lost both the authenticator and the recovery codes.',
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
      schema: {
        operationId: 'listRoles',
        tags,
        summary: 'List the roles and their permissions',
        response: { 200: RoleList },
      },
      config: guard,
    },
    async () => ({
      roles: roles.map((role) => ({ role, all_events: role === 'super_admin', permissions: permissionsOf(role) })),
    }),
  )
}
