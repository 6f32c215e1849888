import { useId } from 'react'
import { translator } from '../app/language.ts'
import { Button, IconButton } from '../components/button.tsx'
import { TextField } from '../components/field.tsx'
import { codeInputProps } from './code-text.tsx'
import type { FilterRow } from './filter-rows.ts'

const t = translator('webhooks')

/** Suggestions; the user can type other paths. */
const suggestedPaths = [
  'data.event.event_type',
  'data.event.slug',
  'data.event.id',
  'data.event.customer_email',
  'data.event.is_draft',
  'data.photo.category_id',
  'data.photo.replaced',
]

type Props = {
  rows: FilterRow[]
  duplicatePaths: readonly string[]
  errorText: string | null
  onChange: (rows: FilterRow[]) => void
}

export function FilterFields({ rows, duplicatePaths, errorText, onChange }: Props) {
  const id = useId()
  const change = (changedIndex: number, changes: Partial<FilterRow>) =>
    onChange(rows.map((row, index) => (index === changedIndex ? { ...row, ...changes } : row)))
  const count = rows.filter(({ path }) => path.trim()).length
  return (
    <details className="card fold-card" {...(rows.length > 0 && { open: true })}>
      <summary>
        <h2>{t('filter')}</h2>
        <span className="quiet-text">{count === 0 ? t('filterNone') : t('filterCount', { count })}</span>
      </summary>
      <p className="help">{t('filterHelp')}</p>
      <datalist id={`${id}-paths`}>
        {suggestedPaths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity except its position
        <div key={index} className="webhooks-filter-row">
          <TextField
            label={t('path')}
            {...codeInputProps}
            list={`${id}-paths`}
            value={row.path}
            errorText={duplicatePaths.includes(row.path.trim()) ? t('wrongTwice') : index === 0 ? errorText : null}
            onChange={({ target }) => change(index, { path: target.value })}
          />
          <TextField
            label={t('values')}
            {...codeInputProps}
            value={row.values}
            onChange={({ target }) => change(index, { values: target.value })}
          />
          <IconButton
            icon="trash"
            label={t('removeLine', { path: row.path || String(index + 1) })}
            onClick={() => onChange(rows.filter((_, other) => other !== index))}
          />
        </div>
      ))}
      <div>
        <Button icon="plus" onClick={() => onChange([...rows, { path: '', values: '' }])}>
          {t('addLine')}
        </Button>
      </div>
    </details>
  )
}
