import { Type } from 'typebox'
import { ApiTokenRecord, CreateApiTokenBody, CreatedApiToken } from '../../../contract/access.ts'
import { Created, Id, IdParams } from '../../../contract/shapes.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { apiTokenRecord } from './api-token-rows.ts'
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.ts'

const tags = ['account']
export const apiTokensApi = (ctx: PlatformContext) => async (app: Http) => {
  app.get(
    '/api-tokens',
    {
      schema: {
        operationId: 'listApiTokens',
        tags,
        summary: 'List your API tokens',
        response: { 200: Type.Array(ApiTokenRecord) },
      },
      config: { permission: null },
    },
    async (request) => (await listApiTokens(ctx, request.caller.user.id)).map(apiTokenRecord),
  )

  app.post(
    '/api-tokens',
    {
      schema: {
        operationId: 'createApiToken',
        tags,
        summary: 'Create an API token',
        body: CreateApiTokenBody,
        response: { 201: Created(CreatedApiToken) },
      },
      config: { permission: null },
    },
    async (request, reply) => {
      const { row, token } = await createApiToken(ctx, request.caller.user.id, request.body)
      return reply.code(201).send({ ...apiTokenRecord(row), token })
    },
  )

  app.delete(
    '/api-tokens/:token_id',
    {
      schema: {
        operationId: 'revokeApiToken',
        tags,
        summary: 'Revoke an API token',
        params: IdParams('token_id'),
        response: { 200: Type.Object({ id: Id, revoked: Type.Boolean() }) },
      },
      config: { permission: null },
    },
    async (request) => {
      await revokeApiToken(ctx, request.params.token_id, request.caller.user.id)
      return { id: request.params.token_id, revoked: true }
    },
  )
}
