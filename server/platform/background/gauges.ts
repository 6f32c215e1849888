/** A metric of this process or of the whole instance, read on each scrape. */
export type Gauge = {
  /** Starts with `proofroom_`; a counter ends with `_total`. */
  name: string
  help: string
  type: 'gauge' | 'counter'
  read: () => number | Promise<number>
}

/** Formats the metrics without prom-client, which writes NaN as `Nan`. */
export class Gauges {
  readonly #gauges: Gauge[] = []

  add(...gauges: Gauge[]): void {
    this.#gauges.push(...gauges)
  }

  async text(): Promise<string> {
    const parts = this.#gauges.map(async ({ name, help, type, read }) => {
      // A gauge that cannot be read is NaN, so that the others are still reported.
      const value = await (async () => read())().catch(() => Number.NaN)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`
    })
    return (await Promise.all(parts)).join('\n')
  }
}
