import './photo-tools.css'
import { useEffect, useRef, useState } from 'react'
import { translator } from '../../app/language.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { cellSizes } from '../grid/grid-layout.ts'
import { getSortDirection, type PhotoSearch } from '../model/photo-search.ts'
import { FilterPanel } from './filter-panel.tsx'

const t = translator('photos')

type Props = {
  search: PhotoSearch
  onSearch: (search: PhotoSearch) => void
  cellPx: number
  onCellPx: (cellPx: number) => void
  hasPhotos: boolean
  onSelectAll: () => void
  onDownloadAll: (() => void) | null
  onRepair: (() => void) | null
  onShortcuts: () => void
}

export const PhotoTools = ({ search, onSearch, cellPx, onCellPx, hasPhotos, ...actions }: Props) => (
  <search className="photo-tools" aria-label={t('tools')}>
    <SearchField text={search.search ?? ''} onText={(text) => onSearch(withText(search, text))} />
    <FilterPanel search={search} onSearch={onSearch} />
    <SortChoice search={search} onSearch={onSearch} />
    <input
      className="photo-size"
      type="range"
      min={cellSizes.minPx}
      max={cellSizes.maxPx}
      step={4}
      value={cellPx}
      aria-label={t('size')}
      aria-valuetext={t('sizeValue', { count: cellPx })}
      title={t('size')}
      onChange={({ target }) => onCellPx(Number(target.value))}
    />
    <Button kind="quiet" icon="select" disabled={!hasPhotos} onClick={actions.onSelectAll}>
      <span className="photo-tool-word">{t('selectAll')}</span>
    </Button>
    <Menu trigger={<IconButton icon="more" label={t('moreForAll')} />}>
      {actions.onDownloadAll && (
        <MenuItem icon="download" isDisabled={!hasPhotos} onSelect={actions.onDownloadAll}>
          {t('downloadAll')}
        </MenuItem>
      )}
      {actions.onRepair && (
        <MenuItem icon="refresh" onSelect={actions.onRepair}>
          {t('repair')}
        </MenuItem>
      )}
      <MenuItem icon="info" onSelect={actions.onShortcuts}>
        {t('keys')}
      </MenuItem>
    </Menu>
  </search>
)

function withText({ search: _, ...others }: PhotoSearch, text: string): PhotoSearch {
  return text === '' ? others : { ...others, search: text }
}

const searchDelayMs = 250

/** Updates the address with a delay after typing. */
function SearchField({ text, onText }: { text: string; onText: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  const sent = useRef(text)
  useEffect(() => {
    // The address changed without this field.
    if (text !== sent.current) setTyped(text)
    sent.current = text
  }, [text])
  const latest = useRef(onText)
  latest.current = onText
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      latest.current(typed.trim())
    }, searchDelayMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      className="photo-search"
      type="search"
      value={typed}
      placeholder={t('search')}
      aria-label={t('search')}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}

const choices = [
  'date asc',
  'date desc',
  'capture_date asc',
  'capture_date desc',
  'name asc',
  'name desc',
  'size desc',
  'size asc',
  'rating desc',
  'rating asc',
] as const

const SortChoice = ({ search, onSearch }: { search: PhotoSearch; onSearch: (search: PhotoSearch) => void }) => (
  <select
    className="photo-sort"
    aria-label={t('sort')}
    value={`${search.sort ?? 'date'} ${getSortDirection(search)}`}
    onChange={({ target }) => {
      const [sort, order] = target.value.split(' ') as [NonNullable<PhotoSearch['sort']>, 'asc' | 'desc']
      const { sort: _, order: __, ...others } = search
      onSearch({
        ...others,
        ...(sort !== 'date' && { sort }),
        ...(order !== getSortDirection({ sort }) && { order }),
      })
    }}
  >
    {choices.map((choice) => (
      <option key={choice} value={choice}>
        {t(`sort_${choice.replace(' ', '_') as 'date_asc'}`)}
      </option>
    ))}
  </select>
)
