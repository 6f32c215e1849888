import type { Sample } from './gauges.ts'

// Not that of prom-client: it is loaded only for a scrape, and an observation here must cost less than a microsecond.

/** Upper bounds in seconds, from a cached thumbnail to an upload. */
export const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Counts durations by upper bound, for a Prometheus histogram. */
export class Histogram {
  readonly #counts = new Uint32Array(durationBounds.length + 1)
  #sum = 0

  observe(seconds: number): void {
    let index = 0
    while (index < durationBounds.length && seconds > (durationBounds[index] ?? 0)) index++
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#sum += seconds
  }

  /** Returns cumulative buckets, sum and count. */
  samples(labels: Record<string, string> = {}): Sample[] {
    let count = 0
    const buckets = [...this.#counts].map((inBucket, index) => {
      count += inBucket
      const le = String(durationBounds[index] ?? '+Inf')
      return { suffix: '_bucket' as const, labels: { ...labels, le }, value: count }
    })
    return [...buckets, { suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: count }]
  }
}
