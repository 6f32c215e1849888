import { RepairStarted, RepairStatus } from '../../contract/instance/repair.ts'
import type { Http } from '../platform/http/create-http.ts'
import { isoTime } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { countImages, countPhotosWithoutSize } from './photos-without-size.ts'
import type { DimensionRepair } from './repair-dimensions.ts'
import { getRepair, isHeld, type PhotoRepair } from './repair-rows.ts'

export const repairApi = (ctx: AppContext, repair: DimensionRepair) => async (app: Http) => {
  app.post(
    '/photos/repair-dimensions',
    {
      schema: {
        operationId: 'repairDimensions',
        tags: ['photos'],
        summary: 'Start a repair that reads missing dimensions of photos from their files',
        description:
          'Runs in the background for the photos of all events. Videos are skipped. Only one repair runs at a time.',
        response: { 200: RepairStarted },
      },
      config: { permission: 'photos.edit', problems: ['REPAIR_RUNNING'] },
    },
    async () => {
      const count = await repair.start()
      return { message: startedMessage(count), count }
    },
  )

  app.get(
    '/photos/repair-dimensions/status',
    {
      schema: {
        operationId: 'getRepairStatus',
        tags: ['photos'],
        summary: 'Get how many photos have dimensions, and the result of the last repair',
        response: { 200: RepairStatus },
      },
      config: { permission: 'photos.view' },
    },
    async () => {
      const [total, withoutDimensions, row] = await Promise.all([
        countImages(ctx),
        countPhotosWithoutSize(ctx),
        getRepair(ctx),
      ])
      return {
        total,
        withDimensions: total - withoutDimensions,
        withoutDimensions,
        isRunning: isHeld(row, ctx.clock.now()),
        lastResult: lastResult(row),
      }
    },
  )
}

function startedMessage(count: number): string {
  if (count === 0) return 'All photos already have dimensions.'
  return `The repair has started. ${count === 1 ? '1 photo has' : `${count} photos have`} no dimensions yet.`
}

const lastResult = ({ success, failed, started_at, finished_at }: PhotoRepair) =>
  started_at === null || finished_at === null
    ? null
    : { success, failed, startedAt: isoTime(started_at), finishedAt: isoTime(finished_at) }
