import './cover-focus-field.css'
import { type MouseEvent, useId } from 'react'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import type { Event } from '../event-context.tsx'
import type { EventForm } from './use-event-form.ts'

const t = translator('events')

const axes = ['cover_focus_x', 'cover_focus_y'] as const

/** A tap on the picture sets both sliders, which set the focus by keyboard. Empty values are the proposed focus. */
export function CoverFocusField({ form, event, photoId }: { form: EventForm; event: Event; photoId: number }) {
  const id = useId()
  const { cover_focus_x: x, cover_focus_y: y } = form.draft
  const isChosen = x !== '' || y !== ''
  const setFocus = (nextX: string, nextY: string) =>
    form.setDraft((draft) => ({ ...draft, cover_focus_x: nextX, cover_focus_y: nextY }))
  const setByTap = ({ currentTarget, clientX, clientY }: MouseEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    setFocus(toPercent((clientX - left) / width), toPercent((clientY - top) / height))
  }
  return (
    <fieldset className="cover-focus" aria-describedby={`${id}-help`}>
      <legend>{t('coverFocus')}</legend>
      <p className="help" id={`${id}-help`}>
        {t('coverFocusHelp')}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the sliders do the same by keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the sliders do the same by keyboard */}
      <div className="cover-focus-picture" onClick={setByTap}>
        <img src={`/api/admin/photos/${event.id}/thumbnail/${photoId}`} alt="" />
        {isChosen && <span style={{ insetInlineStart: `${x || 50}%`, insetBlockStart: `${y || 50}%` }} />}
      </div>
      <div className="cover-focus-axes">
        {axes.map((axis) => (
          <label key={axis}>
            {t(axis)}
            <input
              type="range"
              value={form.draft[axis] || 50}
              onChange={({ target: { value } }) =>
                axis === 'cover_focus_x' ? setFocus(value, y || '50') : setFocus(x || '50', value)
              }
            />
          </label>
        ))}
        <Button kind="quiet" icon="restore" disabled={!isChosen} onClick={() => setFocus('', '')}>
          {t('coverFocusProposed')}
        </Button>
      </div>
    </fieldset>
  )
}

const toPercent = (share: number): string => String(Math.round(100 * Math.min(1, Math.max(0, share))))
