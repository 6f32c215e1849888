import type { GuestVersions } from '../../../contract/gallery/versions.ts'

export type Version = GuestVersions['versions'][number]

const maxRatioDifference = 0.005

/** Returns false for an unknown size. */
export function isSameShape(one: Pick<Version, 'width' | 'height'>, other: Pick<Version, 'width' | 'height'>): boolean {
  if (!one.width || !one.height || !other.width || !other.height) return false
  return Math.abs((one.width * other.height) / (one.height * other.width) - 1) <= maxRatioDifference
}

/** Returns whether a pin or box that was made on the version with the number `of` has the same place on `shown`. */
export function isDrawnOn(versions: readonly Version[], of: number, shown: Version): boolean {
  if (of >= shown.number) return of === shown.number
  const origin = versions.find(({ number }) => number === of)
  return origin !== undefined && isSameShape(origin, shown)
}

/** Returns the version that is shown while the guest holds: the one before `shown`, or the newest for the oldest. */
export const findHeld = (versions: readonly Version[], shown: Version): Version | undefined =>
  versions[versions.indexOf(shown) - 1] ?? versions.at(-1)

/** How much later the clock of the service may be than that of the browser. */
const maxClockDifferenceMs = 60_000

/** Returns whether the page may have loaded the picture of an earlier version. `known`: the newest one that it knew. */
export const isPictureOld = (newest: Version, known: number | undefined, openedAt: number): boolean =>
  known !== undefined
    ? known !== newest.number
    : newest.number > 1 && Date.parse(newest.from_at) > openedAt - maxClockDifferenceMs
