/** How a send ended: stored (200), told that it was not taken (400, 413), told that it was not even begun (409), or without answer. */
export type SendEnd = 'stored' | 'refused' | 'not begun' | 'unanswered'

type Send = { version: number; canBeStored: boolean; end: SendEnd | null }

/**
 * What an index may hold after the sends of it that its sender has seen begin and end: numbers of versions, null for
 * nothing. Sends that overlap may have been taken in any order; of those that do not, the later one counts.
 */
export class ChunkHistory {
  #holdings = new Set<number | null>([null])
  #overlapping: Send[] = []

  /** `canBeStored`: the server can have got all of it. Returns how to tell its end. */
  begin(version: number, canBeStored: boolean): (end: SendEnd) => void {
    if (this.#overlapping.every(({ end }) => end !== null)) this.#settle()
    const send: Send = { version, canBeStored, end: null }
    this.#overlapping.push(send)
    return (end) => {
      send.end = end
    }
  }

  /** Once no send is under way. */
  holdings(): ReadonlySet<number | null> {
    this.#settle()
    return this.#holdings
  }

  #settle(): void {
    this.#holdings = afterSends(this.#holdings, this.#overlapping)
    this.#overlapping = []
  }
}

function afterSends(before: Set<number | null>, sends: readonly Send[]): Set<number | null> {
  const begun = sends.filter(({ end }) => end !== 'not begun')
  const after = new Set<number | null>()
  for (const { version, canBeStored } of begun) if (canBeStored) after.add(version)
  // One that was stored has replaced what was there; the others may have come before it or after it.
  if (begun.some(({ end }) => end !== 'stored')) after.add(null)
  if (!begun.some(({ end }) => end === 'stored')) for (const holding of before) after.add(holding)
  return after
}
