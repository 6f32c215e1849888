import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { formatDay, formatNumber } from '../components/format-time.ts'
import { Table } from '../components/table.tsx'

const t = translator('dashboard')

type Day = Schemas['DashboardDay']

type Props = { title: string; days: Day[]; getCount: (day: Day) => number; format?: (value: number) => string }

const width = 480
const height = 120

/** A bar for each day. A collapsed table lists the days with values above 0. */
export function DayChart({ title, days, getCount, format = formatNumber }: Props) {
  const values = days.map(getCount)
  const maxValue = Math.max(...values, 0)
  const total = values.reduce((sum, value) => sum + value, 0)
  // Before, between and after the bars there is a third of the width of a bar.
  const step = width / (days.length + 0.25)
  const barWidth = 0.75 * step
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure className="day-chart">
      <figcaption>
        <strong>{title}</strong>
        <span className="quiet-text">{t('inAll', { value: format(total) })}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, index) => {
          const value = values[index] ?? 0
          const x = (index + 0.25) * step
          const barHeight = Math.max((height * value) / (maxValue || 1), 2)
          return (
            <g key={day.date}>
              <title>{`${formatDay(day.date)}: ${format(value)}`}</title>
              <rect className="day-ground" x={x} y={0} width={barWidth} height={height} />
              {value > 0 && (
                <rect className="day-bar" x={x} y={height - barHeight} width={barWidth} height={barHeight} />
              )}
            </g>
          )
        })}
      </svg>
      {first && last && (
        <p className="day-axis">
          <span>{formatDay(first.date)}</span>
          {maxValue > 0 && <span>{t('mostInDay', { value: format(maxValue) })}</span>}
          <span>{formatDay(last.date)}</span>
        </p>
      )}
      <details>
        <summary>{t('asTable')}</summary>
        <Table
          caption={title}
          rows={days.filter((day) => getCount(day) > 0)}
          rowKey={({ date }) => date}
          columns={[
            { head: t('day'), cell: ({ date }) => formatDay(date) },
            { head: title, cell: (day) => format(getCount(day)), isNumeric: true },
          ]}
        />
      </details>
    </figure>
  )
}
