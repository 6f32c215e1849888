import cliProgress from 'cli-progress'
import { t } from '../platform/text/command-messages.ts'
import { seconds } from '../platform/time/clock.ts'
import { printError, showControls } from './print.ts'

export type ProgressOptions = { logProgress?: boolean | undefined }

type ProgressBar = {
  show: (value: number, total: number, name: string) => void
  showFiles: (progress: { files: number; totalFiles: number }) => void
  end: () => void
}

type Unit = 'unitFiles' | 'unitPhotos' | 'unitRows'

const nameUnit = (unit: Unit | null, count: number): string => (unit === null ? '' : t(unit, { count }))

const lineEveryMs = seconds(5)

/**
 * Draws nothing before the first call of `show` or `showFiles`. Without a terminal it draws nothing at all, or with
 * `logProgress` one line on stderr every five seconds and one at the end.
 */
export function createProgressBar(unit: Unit | null, { logProgress = false }: ProgressOptions = {}): ProgressBar {
  if (logProgress && !process.stderr.isTTY) return createProgressLines(unit)
  const format = `{bar} {value}/{total}${unit === null ? '' : ' {unit}'}  {name}`
  const bar = new cliProgress.SingleBar({ format, hideCursor: true }, cliProgress.Presets.shades_classic)
  let isDrawn = false

  function show(value: number, total: number, name: string): void {
    if (!isDrawn) bar.start(total, 0, { name: showControls(name), unit: nameUnit(unit, total) })
    isDrawn = true
    bar.setTotal(total)
    bar.update(value, { name: showControls(name) })
  }

  return {
    show,
    showFiles: ({ files, totalFiles }: { files: number; totalFiles: number }) => show(files, totalFiles, ''),
    end(): void {
      if (isDrawn) bar.stop()
    },
  }
}

function createProgressLines(unit: Unit | null): ProgressBar {
  let last = ''
  let printed = ''
  let printedAt = 0

  function print(): void {
    if (last !== printed) printError(last)
    printed = last
    printedAt = Date.now()
  }

  function show(value: number, total: number, name: string): void {
    const text = t('progress', { value, total, unit: nameUnit(unit, total) })
    last = [text.trim(), name].filter(Boolean).join('  ')
    if (Date.now() - printedAt >= lineEveryMs) print()
  }

  return {
    show,
    showFiles: ({ files, totalFiles }) => show(files, totalFiles, ''),
    end: () => (last === '' ? undefined : print()),
  }
}
