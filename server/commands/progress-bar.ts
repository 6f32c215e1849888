import cliProgress from 'cli-progress'

/** Draws nothing before the first call of `show` or `showFiles`. */
export function createProgressBar(unit = '') {
  const format = `{bar} {value}/{total}${unit && ` ${unit}`}  {name}`
  const bar = new cliProgress.SingleBar({ format, hideCursor: true }, cliProgress.Presets.shades_classic)
  let isDrawn = false

  function show(value: number, total: number, name: string): void {
    if (!isDrawn) bar.start(total, 0, { name })
    isDrawn = true
    bar.setTotal(total)
    bar.update(value, { name })
  }

  return {
    show,
    showFiles: ({ files, totalFiles }: { files: number; totalFiles: number }) => show(files, totalFiles, ''),
    end(): void {
      if (isDrawn) bar.stop()
    },
  }
}
