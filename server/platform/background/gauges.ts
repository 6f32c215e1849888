/** A metric of this process or of the whole instance, read on each scrape. */
export type Gauge = {
  /** Starts with `proofroom_`; a counter ends with `_total`. */
  name: string
  help: string
  type: 'gauge' | 'counter'
  read: () => number | Promise<number>
}

/** Written here and not by prom-client, which writes a figure that cannot be read as `Nan`. */
export class Gauges {
  readonly #gauges: Gauge[] = []

  add(...gauges: Gauge[]): void {
    this.#gauges.push(...gauges)
  }

  async text(): Promise<string> {
    const parts = this.#gauges.map(async ({ name, help, type, read }) => {
      // Not a number when it cannot be read, so that the others are still reported.
      const value = await (async () => read())().catch(() => Number.NaN)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`
    })
    return (await Promise.all(parts)).join('\n')
  }
}
