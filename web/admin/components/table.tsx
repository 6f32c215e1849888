import './table.css'
import type { ReactNode } from 'react'

type Column<Row> = {
  head: string
  /** Whether the head is visible only to screen readers, as above a menu. */
  isHeadHidden?: boolean
  cell: (row: Row) => ReactNode
  isNumeric?: boolean
  /** Whether small screens omit the column. */
  isWideOnly?: boolean
}

type Props<Row> = {
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
}

/** The first column is the header of its row. On small screens the other columns are below it. */
export const Table = <Row,>({ caption, columns, rows, rowKey }: Props<Row>) => (
  <div className="table-frame">
    <table className="table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, isHeadHidden, isNumeric, isWideOnly }) => (
            <th key={head} scope="col" className={getClassName({ isNumeric, isWideOnly })}>
              {isHeadHidden ? <span className="heard">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ head, cell, isNumeric, isWideOnly }, index) => {
              const className = getClassName({ isNumeric, isWideOnly })
              return index === 0 ? (
                <th key={head} scope="row" className={className}>
                  {cell(row)}
                </th>
              ) : (
                <td key={head} className={className}>
                  {cell(row)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const getClassName = ({
  isNumeric,
  isWideOnly,
}: {
  isNumeric?: boolean | undefined
  isWideOnly?: boolean | undefined
}): string => [isNumeric && 'number', isWideOnly && 'extra'].filter(Boolean).join(' ')
