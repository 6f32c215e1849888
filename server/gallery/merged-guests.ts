import { resolveMergedGuest } from '../feedback/guest-rows.ts'
import { StateCache } from '../platform/background/changes.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

export type MergedGuests = ReturnType<typeof createMergedGuests>

export function createMergedGuests({ db, changes }: PlatformContext) {
  const acting = new StateCache<string, { guestId: string }>(changes, { max: 20_000 })
  changes.on('guest', () => acting.drop())

  return {
    async resolveMerged(eventId: number, guestId: string): Promise<string> {
      const load = async () => ({ guestId: await resolveMergedGuest(db, eventId, guestId) })
      return (await acting.getOrLoad(guestId, load))?.guestId ?? guestId
    },
  }
}
