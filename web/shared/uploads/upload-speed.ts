const windowMs = 10_000
/** The speed over a shorter time would be unstable. */
const minSampleMs = 2_000

/** Measures the speed of a growing counter over the last ten seconds. */
export class Speedometer {
  #samples: Array<{ atMs: number; bytes: number }> = []

  addSample(bytes: number, atMs: number): void {
    this.#samples.push({ atMs, bytes })
    // One sample older than the window stays, so that the window is always covered.
    while ((this.#samples[1]?.atMs ?? atMs) <= atMs - windowMs) this.#samples.shift()
  }

  /** Returns null for less than two seconds of data or without progress. */
  bytesPerSecond(nowMs: number): number | null {
    const [first] = this.#samples
    const last = this.#samples.at(-1)
    if (!first || !last || nowMs - first.atMs < minSampleMs) return null
    const speed = ((last.bytes - first.bytes) * 1000) / (nowMs - first.atMs)
    return speed > 0 ? speed : null
  }

  /** Call it after a pause, so that the idle time does not count. */
  restart(): void {
    this.#samples = []
  }
}

export const secondsLeft = (bytesLeft: number, bytesPerSecond: number | null): number | null =>
  bytesPerSecond === null ? null : bytesLeft / bytesPerSecond
