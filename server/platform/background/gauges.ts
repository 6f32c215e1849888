/** `suffix`: only for histograms. Label values come from the service, never from a client. */
export type Sample = { suffix?: '_bucket' | '_sum' | '_count'; labels?: Record<string, string>; value: number }

/** A metric of this process or of the whole instance, read on each scrape. */
export type Gauge = {
  /** Starts with `proofroom_`; a counter ends with `_total`. */
  name: string
  help: string
  type: 'gauge' | 'counter' | 'histogram'
  read: () => number | Sample[] | Promise<number | Sample[]>
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
      const samples = typeof value === 'number' ? [{ value }] : value
      const lines = samples.map((sample) => `${formatSample(name, sample)}\n`)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    return (await Promise.all(parts)).join('\n')
  }
}

function formatSample(name: string, { suffix, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`)
  return `${name}${suffix ?? ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
}

const escapeLabel = (text: string): string => text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
