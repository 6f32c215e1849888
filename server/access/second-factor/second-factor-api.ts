import {
  ConfirmSecondFactorBody,
  DoneReply,
  ProofBody,
  RecoveryCodes,
  SecondFactorReply,
  SecondFactorSetUp,
  SetUpSecondFactorBody,
} from '../../../contract/access.ts'
import type { ProblemCode } from '../../../contract/problems.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { isoTimeOrNull } from '../../platform/time/clock.ts'
import type { AccessContext } from '../access.ts'
import { assertPasswordOrCode } from '../assert-credentials.ts'
import { listUnusedHashes } from './recovery-codes.ts'
import { findConfirmedFactor, removeSecondFactor } from './second-factor-rows.ts'
import { confirmSecondFactor, renewRecoveryCodes, setUpSecondFactor } from './set-up-second-factor.ts'

const tags = ['account']
const problems: ProblemCode[] = ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'INVALID_STATE']

export const secondFactorApi = (ctx: AccessContext) => async (app: Http) => {
  app.get(
    '/auth/mfa',
    {
      schema: {
        operationId: 'getSecondFactor',
        tags,
        summary: 'Get your second factor',
        response: { 200: SecondFactorReply },
      },
      config: { permission: null },
    },
    async ({ caller: { user } }) => {
      const factor = await findConfirmedFactor(ctx.db, user.id)
      const left = factor ? await listUnusedHashes(ctx.db, user.id) : []
      return {
        enabled: factor !== undefined,
        confirmedAt: isoTimeOrNull(factor?.confirmed_at ?? null),
        recoveryCodesLeft: left.length,
      }
    },
  )

  app.post(
    '/auth/mfa/setup',
    {
      schema: {
        operationId: 'setUpSecondFactor',
        tags,
        summary: 'Set up a second factor',
        description: 'Sign-ins do not require it until a code has confirmed it.',
        body: SetUpSecondFactorBody,
        response: { 200: SecondFactorSetUp },
      },
      config: { permission: null, problems },
    },
    (request) => setUpSecondFactor(ctx, request.caller.user, request.body.password),
  )

  app.post(
    '/auth/mfa/confirm',
    {
      schema: {
        operationId: 'confirmSecondFactor',
        tags,
        summary: 'Turn on the second factor',
        body: ConfirmSecondFactorBody,
        response: { 200: RecoveryCodes },
      },
      config: { permission: null, problems },
    },
    async (request) => ({ recoveryCodes: await confirmSecondFactor(ctx, request.caller.user, request.body.code) }),
  )

  app.post(
    '/auth/mfa/recovery-codes',
    {
      schema: {
        operationId: 'renewRecoveryCodes',
        tags,
        summary: 'Create new recovery codes',
        description: 'Requires the password or a code. Earlier recovery codes become invalid.',
        body: ProofBody,
        response: { 200: RecoveryCodes },
      },
      config: { permission: null, problems },
    },
    async ({ caller: { user }, body }) => {
      await assertPasswordOrCode(ctx, user, body)
      return { recoveryCodes: await renewRecoveryCodes(ctx, user) }
    },
  )

  app.post(
    '/auth/mfa/disable',
    {
      schema: {
        operationId: 'disableSecondFactor',
        tags,
        summary: 'Turn off the second factor',
        description: 'Requires the password or a code.',
        body: ProofBody,
        response: { 200: DoneReply },
      },
      config: { permission: null, problems },
    },
    async ({ caller: { user }, body }) => {
      await assertPasswordOrCode(ctx, user, body)
      if (!(await removeSecondFactor(ctx, user.id))) {
        throw new AppError('INVALID_STATE', { text: 'This account has no second factor.' })
      }
      return { success: true }
    },
  )
}
