import { useEffect, useState } from 'preact/hooks'
import { Unreachable } from '../../shared/api-error.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Trouble } from '../parts/field.tsx'
import { t } from '../state/page.ts'

/**
 * Loads at first, and after a failure again when the browser is online. `load` can throw. Returns the error, which is
 * null without one, and functions to set it and to load again.
 */
export function useLoaded(load: () => Promise<unknown>) {
  const [error, setError] = useState<unknown>(null)
  const retry = () => {
    setError(null)
    load().catch(setError)
  }
  useEffect(retry, [])
  useEffect(() => {
    if (error === null) return
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [error])
  return { error, setError, retry }
}

type Props = { error: unknown; offlineText: string; onRetry: () => void }

export const LoadTrouble = ({ error, offlineText, onRetry }: Props) => (
  <Trouble>
    {error instanceof Unreachable ? offlineText : errorMessage(error)}{' '}
    <button type="button" class="link" onClick={onRetry}>
      {t('tryAgain')}
    </button>
  </Trouble>
)
