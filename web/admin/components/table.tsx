import './table.css'
import type { ReactNode } from 'react'

export type Column<Row> = {
  head: string
  /** Whether only screen readers get the head, such as above a column of menus. */
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

/** The first column is the header of its row. */
export const Table = <Row,>({ caption, columns, rows, rowKey }: Props<Row>) => (
  <div className="table-frame">
    <table className="table">
      <caption className="heard">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.head} scope="col" className={getClassName(column)}>
              {column.isHeadHidden ? <span className="heard">{column.head}</span> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column, index) => {
              const props = { className: getClassName(column), children: column.cell(row) }
              return index === 0 ? <th key={column.head} scope="row" {...props} /> : <td key={column.head} {...props} />
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const getClassName = ({ isNumeric, isWideOnly }: Pick<Column<never>, 'isNumeric' | 'isWideOnly'>): string =>
  [isNumeric && 'number', isWideOnly && 'extra'].filter(Boolean).join(' ')
