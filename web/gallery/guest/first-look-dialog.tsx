import { useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { ApiError } from '../../shared/api-error.ts'
import { guestEmail } from '../marks/guest-name.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Field, handleSubmit } from '../parts/field.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { call } from '../state/api.ts'
import { t } from '../state/page.ts'

/** Asks for the address to mail when all photos are there. */
export function FirstLookDialog({ onClose }: { onClose: () => void }) {
  const email = useSignal(guestEmail.peek() ?? '')
  const [trouble, setTrouble] = useState<string>()
  const [state, setState] = useState<'open' | 'sending' | 'done'>('open')

  async function send(): Promise<void> {
    if (state !== 'open') return
    setState('sending')
    try {
      const body = { email: email.value.trim() }
      await call('/first-look/notice', { body })
      guestEmail.value = body.email
      document.getElementById('first-look')?.replaceChildren(t('firstLookAsked'))
      setState('done')
    } catch (error) {
      const isEmail = error instanceof ApiError && error.paths.includes('email')
      setTrouble(isEmail ? t('emailWrong') : errorMessage(error))
      setState('open')
    }
  }

  return (
    <Sheet title={t(state === 'done' ? 'firstLookAsked' : 'firstLookAsk')} onClose={onClose}>
      <form class="form" noValidate onSubmit={handleSubmit(send)}>
        <p role="status">{t(state === 'done' ? 'firstLookConfirm' : 'firstLookText')}</p>
        {state !== 'done' && (
          <Field label={t('firstLookEmail')} trouble={trouble}>
            {(described) => (
              <input
                {...described}
                data-first
                name="email"
                type="email"
                autocomplete="email"
                maxLength={254}
                value={email.value}
                aria-required
                aria-invalid={trouble !== undefined}
                onInput={({ currentTarget }) => {
                  email.value = currentTarget.value
                }}
              />
            )}
          </Field>
        )}
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            {t(state === 'done' ? 'close' : 'cancel')}
          </button>
          {state !== 'done' && (
            <button type="submit" class="button primary">
              {t('firstLookSend')}
            </button>
          )}
        </div>
      </form>
    </Sheet>
  )
}
