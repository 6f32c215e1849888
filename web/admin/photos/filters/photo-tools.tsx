import './photo-tools.css'
import { translator } from '../../app/language.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { useTypedSearch } from '../../components/use-typed-search.ts'
import { UploadButton } from '../../uploads/upload-button.tsx'
import type { UploadChoice } from '../../uploads/use-upload-choice.ts'
import { cellSizes } from '../grid/grid-layout.ts'
import { changeSearch, getSortDirection, type PhotoSearch } from '../model/photo-search.ts'
import { rememberOrder } from '../model/remembered-order.ts'
import { FilterPanel } from './filter-panel.tsx'

const t = translator('photos')

type Props = {
  search: PhotoSearch
  onSearch: (search: PhotoSearch) => void
  cellPx: number
  onCellPx: (cellPx: number) => void
  hasPhotos: boolean
  onSelectAll: (() => void) | null
  onDownloadAll: (() => void) | null
  onRepair: (() => void) | null
  onManageCategories: (() => void) | null
  onShortcuts: () => void
  /** Null if the account may not upload. */
  upload: UploadChoice | null
}

export const PhotoTools = ({ search, onSearch, cellPx, onCellPx, hasPhotos, ...actions }: Props) => (
  <search className="photo-tools" aria-label={t('tools')}>
    <SearchField
      text={search.search ?? ''}
      onText={(text) => onSearch(changeSearch(search, { search: text || undefined }))}
    />
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
    {actions.onSelectAll && (
      <Button kind="quiet" icon="select" title={t('selectAll')} disabled={!hasPhotos} onClick={actions.onSelectAll}>
        <span className="photo-tool-word">{t('selectAll')}</span>
      </Button>
    )}
    {actions.upload && <UploadButton choice={actions.upload} />}
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
      {actions.onManageCategories && (
        <MenuItem icon="edit" onSelect={actions.onManageCategories}>
          {t('manageCategories')}
        </MenuItem>
      )}
      <MenuItem icon="info" onSelect={actions.onShortcuts}>
        {t('keys')}
      </MenuItem>
    </Menu>
  </search>
)

function SearchField({ text, onText }: { text: string; onText: (text: string) => void }) {
  const field = useTypedSearch(text, onText)
  return <input className="photo-search" type="search" placeholder={t('search')} aria-label={t('search')} {...field} />
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
  'manual asc',
] as const

const SortChoice = ({ search, onSearch }: { search: PhotoSearch; onSearch: (search: PhotoSearch) => void }) => (
  <select
    className="photo-sort"
    aria-label={t('sort')}
    value={`${search.sort ?? 'date'} ${getSortDirection(search)}`}
    onChange={({ target }) => {
      const [sort, order] = target.value.split(' ') as [NonNullable<PhotoSearch['sort']>, 'asc' | 'desc']
      const changed = changeSearch(search, {
        sort: sort === 'date' ? undefined : sort,
        order: order === getSortDirection({ sort }) ? undefined : order,
      })
      rememberOrder(changed)
      onSearch(changed)
    }}
  >
    {choices.map((choice) => (
      <option key={choice} value={choice}>
        {t(`sort_${choice.replace(' ', '_') as 'date_asc'}`)}
      </option>
    ))}
  </select>
)
