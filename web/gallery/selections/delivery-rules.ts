import type { PendingSelection } from './pending-selection.ts'

/** `sentAt`: when the last selection that the service has was sent. `isChanged`: picks have changed since. */
type ReceivedSelection = { sentAt: string | null; isChanged: boolean }

/** Returns whether the service has received this selection already, so that it must not be sent again. */
export function isReceived(
  { before, body, followsUnknown = false }: PendingSelection,
  { sentAt, isChanged }: ReceivedSelection,
): boolean {
  if (sentAt === before) return false
  // The service has the one that was taken back. It is the same only if nothing was added to it.
  return !followsUnknown || (!isChanged && Object.values(body ?? {}).every((value) => !value))
}
