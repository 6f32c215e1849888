import { quartiles } from './statistics.ts'

/** `wanted` is a better value that is not required. */
export type Target = { bound: 'at least' | 'at most'; value: number; wanted?: number }

/** `samples` are values in `unit`, or for `x` ratios of two measurements. The figure is their median. */
export type Figure = { name: string; unit: 'x' | 'ms' | 's' | 'MB' | '/s'; samples: readonly number[]; target?: Target }

const noisySpread = 0.15

export function printTable(rows: readonly (readonly string[])[]): void {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    console.log(`  ${cells.join('  ')}`)
  }
}

export function printFigures(figures: readonly Figure[]): void {
  printTable([['figure', 'median', '[q1..q3]', 'target', 'verdict', ''], ...figures.map(figureCells)])
}

/** `0.62`, `12.3 ms`, `212 MB` or `430 /s`. */
export function formatValue(value: number, unit: Figure['unit']): string {
  if (unit === 'x') return value.toFixed(2)
  if (unit === 's') return `${value.toFixed(3)} s`
  return `${value.toFixed(unit === 'ms' ? 1 : 0)} ${unit}`
}

/** `<= 1.20` or `>= 0.40, wanted 0.60`; empty without a target. */
export function formatTarget(target: Target | undefined, unit: Figure['unit']): string {
  if (!target) return ''
  const bound = `${target.bound === 'at least' ? '>=' : '<='} ${formatValue(target.value, unit)}`
  return target.wanted === undefined ? bound : `${bound}, wanted ${formatValue(target.wanted, unit)}`
}

function figureCells({ name, unit, samples, target }: Figure): string[] {
  const { q1, median, q3 } = quartiles(samples)
  const spread = (q3 - q1) / median
  return [
    name,
    formatValue(median, unit),
    samples.length > 1 ? `[${formatValue(q1, unit)}..${formatValue(q3, unit)}]` : '',
    formatTarget(target, unit),
    target ? verdict(median, target) : '',
    spread > noisySpread ? `spread ${Math.round(spread * 100)} %` : '',
  ]
}

function verdict(median: number, { bound, value }: Target): string {
  return (bound === 'at least' ? median >= value : median <= value) ? 'met' : 'missed'
}
