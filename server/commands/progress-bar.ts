import cliProgress from 'cli-progress'

/** Draws nothing before the first step. */
export function createProgressBar(unit: string) {
  const format = `{bar} {value}/{total} ${unit}  {name}`
  const bar = new cliProgress.SingleBar({ format, hideCursor: true }, cliProgress.Presets.shades_classic)
  let isDrawn = false
  return {
    show(value: number, total: number, name: string): void {
      if (!isDrawn) bar.start(total, 0, { name })
      isDrawn = true
      bar.setTotal(total)
      bar.update(value, { name })
    },
    end(): void {
      if (isDrawn) bar.stop()
    },
  }
}
