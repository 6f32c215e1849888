/** A figure of this process, or of the whole instance, read when somebody asks. */
export type Gauge = {
  /** Begins with `proofroom_`; a counter ends with `_total`. */
  name: string
  help: string
  type: 'gauge' | 'counter'
  read: () => number | Promise<number>
}

/** What background work has to say on `/metrics`. */
export class Gauges {
  readonly #gauges: Gauge[] = []

  add(...gauges: Gauge[]): void {
    this.#gauges.push(...gauges)
  }

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    const parts = this.#gauges.map(async ({ name, help, type, read }) => {
      const value = await figureOf(read)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`
    })
    return (await Promise.all(parts)).join('\n')
  }
}

/** NaN: it could not be read, which must not keep the others from being told. */
async function figureOf(read: Gauge['read']): Promise<number> {
  try {
    return await read()
  } catch {
    return Number.NaN
  }
}
