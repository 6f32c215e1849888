import { translator } from '../app/language.ts'
import { IconButton } from '../components/button.tsx'

const t = translator('settings')

type Props = { name: string; onChange: () => void; onDelete: () => void }

export const RowActions = ({ name, onChange, onDelete }: Props) => (
  <div className="settings-row">
    <IconButton icon="edit" label={t('changeNamed', { name })} onClick={onChange} />
    <IconButton icon="trash" label={t('deleteOne', { name })} onClick={onDelete} />
  </div>
)
