import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { errorMessage } from '../../components/error-messages.ts'

const t = translator('events')

type Props = { error: unknown; hasFieldErrors: boolean; isBusy: boolean; onDiscard: () => void }

export const SaveBar = ({ error, hasFieldErrors, isBusy, onDiscard }: Props) => (
  <div className="save-bar">
    <p role="status" className={error ? 'wrong' : ''}>
      {error ? (hasFieldErrors ? t('notSaved') : errorMessage(error)) : t('unsaved')}
    </p>
    <Buttons isAtEnd>
      <Button kind="quiet" onClick={onDiscard}>
        {t('discard')}
      </Button>
      <Button type="submit" kind="primary" isBusy={isBusy}>
        {t('save')}
      </Button>
    </Buttons>
  </div>
)
