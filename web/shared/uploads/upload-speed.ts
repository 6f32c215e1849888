const windowMs = 10_000
/** An earlier figure would be unstable. */
const minSampleMs = 2_000

/** Measures the speed of a growing counter over the last seconds. */
export class Speedometer {
  #marks: Array<{ atMs: number; bytes: number }> = []

  addSample(bytes: number, atMs: number): void {
    this.#marks.push({ atMs, bytes })
    // One sample older than the window stays, so that the window is always covered.
    while ((this.#marks[1]?.atMs ?? atMs) <= atMs - windowMs) this.#marks.shift()
  }

  /** Returns null while there is too little data. */
  bytesPerSecond(nowMs: number): number | null {
    const [first] = this.#marks
    const last = this.#marks.at(-1)
    if (!first || !last || nowMs - first.atMs < minSampleMs) return null
    const speed = ((last.bytes - first.bytes) * 1000) / (nowMs - first.atMs)
    return speed > 0 ? speed : null
  }

  /** Call it after a pause, so that the idle time does not count. */
  restart(): void {
    this.#marks = []
  }
}

export const secondsLeft = (bytesLeft: number, bytesPerSecond: number | null): number | null =>
  bytesPerSecond === null ? null : bytesLeft / bytesPerSecond
