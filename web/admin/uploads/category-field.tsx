import { useQuery } from '@tanstack/react-query'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { SelectField } from '../components/field.tsx'
import { eventCategoriesQuery } from '../events/event-queries.ts'

const t = translator('uploads')

export type CategoryChoice = number | 'folders' | null

type Props = { eventId: number; value: CategoryChoice; onChange: (choice: CategoryChoice) => void }

export function CategoryField({ eventId, value, onChange }: Props) {
  const hasPermission = useHasPermission()
  const { data: categories = [] } = useQuery(eventCategoriesQuery(eventId))
  const choose = (chosen: string) => onChange(chosen === 'folders' ? chosen : chosen === '' ? null : Number(chosen))
  return (
    <div className="upload-category">
      <SelectField
        label={t('category')}
        value={value ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">{t('noCategory')}</option>
        {hasPermission('events.edit') && <option value="folders">{t('byFolder')}</option>}
        {categories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
