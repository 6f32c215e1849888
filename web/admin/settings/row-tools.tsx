import { sayIn } from '../desk/language.ts'
import { IconButton } from '../parts/button.tsx'

const say = sayIn('settings')

type Props = { name: string; onChange: () => void; onDelete: () => void }

export const RowTools = ({ name, onChange, onDelete }: Props) => (
  <div className="settings-row">
    <IconButton icon="edit" label={say('changeNamed', { name })} onClick={onChange} />
    <IconButton icon="trash" label={say('deleteOne', { name })} onClick={onDelete} />
  </div>
)
