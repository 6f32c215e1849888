/** `stored`: status 200. `not begun`: status 409. `refused`: any other status. `unanswered`: no response. */
export type SendResult = 'stored' | 'refused' | 'not begun' | 'unanswered'

type Send = { version: number; canBeStored: boolean; end: SendResult | null }

/**
 * Tracks the versions of a chunk that the service may have stored; null in the set means that it may have stored none.
 * Overlapping sends can take effect in any order. Other sends take effect one after another.
 */
export class ChunkHistory {
  #holdings = new Set<number | null>([null])
  #overlapping: Send[] = []

  /**
   * Records the start of a send. The returned function records its end. `canBeStored`: the whole chunk is sent, so the
   * service may store it.
   */
  begin(version: number, canBeStored: boolean): (end: SendResult) => void {
    if (this.#overlapping.every(({ end }) => end !== null)) this.#settle()
    const send: Send = { version, canBeStored, end: null }
    this.#overlapping.push(send)
    return (end) => {
      send.end = end
    }
  }

  /** Returns the versions that may be stored. Call this only while no send is running. */
  holdings(): ReadonlySet<number | null> {
    this.#settle()
    return this.#holdings
  }

  #settle(): void {
    this.#holdings = applySends(this.#holdings, this.#overlapping)
    this.#overlapping = []
  }
}

function applySends(before: Set<number | null>, sends: readonly Send[]): Set<number | null> {
  const begun = sends.filter(({ end }) => end !== 'not begun')
  const after = new Set<number | null>()
  for (const { version, canBeStored } of begun) if (canBeStored) after.add(version)
  // A stored send replaces the earlier versions. A send with another end may leave the chunk without any version.
  if (begun.some(({ end }) => end !== 'stored')) after.add(null)
  if (!begun.some(({ end }) => end === 'stored')) for (const holding of before) after.add(holding)
  return after
}
