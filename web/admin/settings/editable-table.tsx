import './settings.css'
import { type UseQueryResult, useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { translator } from '../app/language.ts'
import { Button, IconButton } from '../components/button.tsx'
import { confirm } from '../components/confirm.tsx'
import { Loaded } from '../components/loaded.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { Card } from '../components/page.tsx'
import { type Column, Table } from '../components/table.tsx'

const t = translator('settings')

type Props<Row> = {
  title: string
  description: string
  addLabel: string
  canEdit: boolean
  query: UseQueryResult<Row[]>
  rowKey: (row: Row) => string | number
  /** The name to show, if it is not that of the row. */
  rowName?: (row: Row) => string
  columns: Column<Row>[]
  removal: { question: (row: Row) => string; send: (row: Row) => Promise<unknown>; notice: string }
  onRemoved: () => void
  /** The dialog that changes a row, or adds one when `row` is null. */
  renderDialog: (row: Row | null, onClose: () => void) => ReactNode
}

export function EditableTable<Row extends { name: string }>(props: Props<Row>) {
  const { title, canEdit, removal, rowName = (row: Row) => row.name } = props
  const [edited, setEdited] = useState<Row | 'new' | null>(null)
  const remove = useMutation({
    mutationFn: removal.send,
    onSuccess: () => showNotice(removal.notice),
    onError: showError,
    onSettled: props.onRemoved,
  })
  const confirmRemove = async (row: Row) => {
    const question = {
      title: t('deleteNamed', { name: rowName(row) }),
      text: removal.question(row),
      action: t('delete'),
    }
    if (await confirm(question)) remove.mutate(row)
  }
  const actions: Column<Row> = {
    head: t('change'),
    cell: (row) =>
      canEdit && (
        <div className="settings-row">
          <IconButton icon="edit" label={t('changeNamed', { name: rowName(row) })} onClick={() => setEdited(row)} />
          <IconButton icon="trash" label={t('deleteOne', { name: rowName(row) })} onClick={() => confirmRemove(row)} />
        </div>
      ),
  }
  const add = canEdit && (
    <Button icon="plus" onClick={() => setEdited('new')}>
      {props.addLabel}
    </Button>
  )
  return (
    <Card title={title} actions={add}>
      <p className="quiet-text">{props.description}</p>
      <Loaded query={props.query}>
        {(rows) =>
          rows.length > 0 && (
            <Table caption={title} rows={rows} rowKey={props.rowKey} columns={[...props.columns, actions]} />
          )
        }
      </Loaded>
      {edited !== null && props.renderDialog(edited === 'new' ? null : edited, () => setEdited(null))}
    </Card>
  )
}
