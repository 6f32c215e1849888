import { sayIn } from '../desk/language.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { wordsOf } from '../parts/error-messages.ts'

const say = sayIn('events')

type Props = { error: unknown; isSaid: boolean; isBusy: boolean; onDiscard: () => void }

export const SaveBar = ({ error, isSaid, isBusy, onDiscard }: Props) => (
  <div className="save-bar">
    <p role="status" className={error ? 'wrong' : ''}>
      {error ? (isSaid ? say('notSaved') : wordsOf(error)) : say('unsaved')}
    </p>
    <Buttons isAtEnd>
      <Button kind="quiet" onClick={onDiscard}>
        {say('discard')}
      </Button>
      <Button type="submit" kind="primary" isBusy={isBusy}>
        {say('save')}
      </Button>
    </Buttons>
  </div>
)
