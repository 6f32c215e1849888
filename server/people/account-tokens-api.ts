import { Type } from 'typebox'
import { AccountTokenList } from '../../contract/access.ts'
import { Id, IdParams, PageQuery } from '../../contract/shapes.ts'
import { findUser } from '../access/account-rows.ts'
import { apiTokenRecord } from '../access/api-tokens/api-token-rows.ts'
import { listAccountTokens, revokeApiToken, revokeTokensOfAccount } from '../access/api-tokens/api-tokens.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

const tags = ['people']
const guard = { permission: null, role: 'super_admin' } as const

/** The tokens of all accounts. A new password does not end them, because programs use them. */
export const accountTokensApi = (ctx: PlatformContext) => async (app: Http) => {
  app.get(
    '/users/api-tokens',
    {
      schema: {
        operationId: 'listAccountTokens',
        tags,
        summary: 'List the API tokens of all accounts, newest first',
        querystring: PageQuery,
        response: { 200: AccountTokenList },
      },
      config: guard,
    },
    async ({ query }) => {
      const { rows, pagination } = await listAccountTokens(ctx, query)
      const tokens = rows.map((row) => ({
        ...apiTokenRecord(row),
        user_id: row.user_id,
        username: row.username,
        is_active: row.is_active === 1,
      }))
      return { tokens, pagination }
    },
  )

  app.delete(
    '/users/api-tokens/:token_id',
    {
      schema: {
        operationId: 'revokeTokenOfAnyAccount',
        tags,
        summary: 'Revoke an API token of any account',
        params: IdParams('token_id'),
        response: { 200: Type.Object({ id: Id, revoked: Type.Boolean() }) },
      },
      config: guard,
    },
    async ({ params: { token_id: id } }) => {
      await revokeApiToken(ctx, id)
      return { id, revoked: true }
    },
  )

  app.post(
    '/users/:user_id/revoke-tokens',
    {
      schema: {
        operationId: 'revokeTokensOfAccount',
        tags,
        summary: 'Revoke all API tokens of an account',
        params: IdParams('user_id'),
        response: { 200: Type.Object({ id: Id, revoked_count: Type.Integer() }) },
      },
      config: guard,
    },
    async ({ params: { user_id: id } }) => {
      if (!(await findUser(ctx.db, id))) throw new AppError('NOT_FOUND')
      return { id, revoked_count: await revokeTokensOfAccount(ctx, id) }
    },
  )
}
