import { TokenAccount } from '../../../contract/access.ts'
import { must } from '../../../contract/must.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { permissionsOf } from '../roles.ts'
import { apiTokenRecord } from './api-token-rows.ts'

export const tokenAccountApi =
  ({ db }: PlatformContext) =>
  async (app: Http) => {
    app.get(
      '/me',
      {
        schema: {
          operationId: 'getTokenAccount',
          tags: ['account'],
          summary: 'Get the account and the scope of the token',
          description: 'For a test of the connection, and to find out which calls the token can make.',
          response: { 200: TokenAccount },
        },
        config: { scope: 'read', permission: null },
      },
      async ({ caller: { user, tokenId } }) => {
        const id = must(tokenId, 'the id of an API token')
        const row = await db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        const { token_preview: _, last_used_at: __, ...token } = apiTokenRecord(row)
        const { username, role } = user
        return { user: { id: user.id, username, role, permissions: permissionsOf(role) }, token }
      },
    )
  }
