import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'

export type CsvColumn<Row> = { header: string; read: (row: Row) => string | number | null }

/** The CSV starts with a byte order mark, without which some spreadsheet programs do not detect UTF-8. */
export const createCsv = <Row>(
  columns: readonly CsvColumn<Row>[],
  rows: Iterable<Row> | AsyncIterable<Row>,
): Readable =>
  pipeline(
    Readable.from(readCells(columns, rows)),
    stringify({
      header: true,
      columns: columns.map(({ header }) => header),
      bom: true,
      record_delimiter: 'windows',
      escape_formulas: true,
      quoted_match: /[\r\n]/,
    }),
    // The consumer of the table gets the error.
    () => undefined,
  )

async function* readCells<Row>(columns: readonly CsvColumn<Row>[], rows: Iterable<Row> | AsyncIterable<Row>) {
  for await (const row of rows) yield columns.map(({ read }) => read(row))
}
