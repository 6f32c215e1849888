import { PackageBody, PackageReply } from '../../../contract/gallery/rounds.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { removePackage, savePackage } from './change-package.ts'
import { findPackage, packageRecord } from './package-rows.ts'

const tags = ['proofing']
const params = IdParams('event_id')

/** Part of both APIs. */
export const packagesApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/package',
    {
      schema: {
        operationId: 'getPackage',
        tags,
        summary: 'Get the package of an event: how many photos guests pick',
        params,
        response: { 200: PackageReply },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async ({ caller, params: { event_id } }) => {
      const { id, has_package } = await getOwnedEvent(ctx, caller, event_id)
      const row = has_package === 1 ? await findPackage(ctx.db, id) : undefined
      return { package: row ? packageRecord(row) : null }
    },
  )

  app.put(
    '/package',
    {
      schema: {
        operationId: 'setPackage',
        tags,
        summary: 'Set the package of an event',
        description:
          'Guests then pick favorites in rounds: submitted picks are locked until an operator opens them again. Open rounds take the new numbers, submitted ones keep theirs.',
        params,
        body: PackageBody,
        response: { 200: PackageReply },
      },
      config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'INVALID_STATE'] },
    },
    async ({ caller, params: { event_id }, body }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      return { package: await savePackage(ctx, id, body) }
    },
  )

  app.delete(
    '/package',
    {
      schema: {
        operationId: 'deletePackage',
        tags,
        summary: 'Remove the package of an event',
        description: 'Marks can change again. Submitted selections and their receipts stay.',
        params,
        response: { 200: PackageReply },
      },
      config: { scope: 'admin', permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async ({ caller, params: { event_id } }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      await removePackage(ctx, id)
      return { package: null }
    },
  )
}
