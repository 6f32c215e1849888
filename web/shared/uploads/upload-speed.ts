const windowMs = 10_000
/** Before that a figure would jump. */
const minMs = 2_000

/** The speed of the last seconds, of a counter that only grows. */
export class Speedometer {
  #marks: Array<{ atMs: number; bytes: number }> = []

  note(bytes: number, atMs: number): void {
    this.#marks.push({ atMs, bytes })
    // One mark older than the window stays, so that the window is always covered.
    while ((this.#marks[1]?.atMs ?? atMs) <= atMs - windowMs) this.#marks.shift()
  }

  /** Null while there is nothing to tell it by. */
  bytesPerSecond(nowMs: number): number | null {
    const [first] = this.#marks
    const last = this.#marks.at(-1)
    if (!first || !last || nowMs - first.atMs < minMs) return null
    const speed = ((last.bytes - first.bytes) * 1000) / (nowMs - first.atMs)
    return speed > 0 ? speed : null
  }

  /** After a pause the seconds in which nothing was to move do not count. */
  restart(): void {
    this.#marks = []
  }
}

/** Null while it cannot be told. */
export const secondsLeft = (bytesLeft: number, bytesPerSecond: number | null): number | null =>
  bytesPerSecond === null ? null : bytesLeft / bytesPerSecond
