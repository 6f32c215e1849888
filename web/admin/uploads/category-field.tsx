import { useQuery } from '@tanstack/react-query'
import { sayIn } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { eventCategoriesQuery } from '../events/event-query.ts'
import { SelectField } from '../parts/field.tsx'

const say = sayIn('uploads')

export type CategoryWish = number | 'folders' | null

type Props = { eventId: number; value: CategoryWish; onChange: (wish: CategoryWish) => void }

export function CategoryField({ eventId, value, onChange }: Props) {
  const may = useMay()
  const { data: categories = [] } = useQuery(eventCategoriesQuery(eventId))
  const choose = (chosen: string) => onChange(chosen === 'folders' ? chosen : chosen === '' ? null : Number(chosen))
  return (
    <div className="upload-category">
      <SelectField
        label={say('category')}
        value={value ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">{say('noCategory')}</option>
        {may('events.edit') && <option value="folders">{say('byFolder')}</option>}
        {categories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
