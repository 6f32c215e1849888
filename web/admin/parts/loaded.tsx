import './loaded.css'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { sayIn } from '../desk/language.ts'
import { Button } from './button.tsx'
import { wordsOf } from './error-messages.ts'

const say = sayIn('parts')

type Props<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode }

/** What was asked for, or that it is on its way, or why it did not come and how to ask again. */
export function Loaded<T>({ query, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failed error={query.error} onRetry={() => query.refetch()} />
  return <Waiting />
}

/** Shows after a moment only: what comes at once needs no announcement. */
export const Waiting = () => (
  <p className="waiting" role="status">
    {say('waiting')}
  </p>
)

/** No asking again brings back what is not there. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export const Failed = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => (
  <div className="failed" role="alert">
    <p>{wordsOf(error)}</p>
    {onRetry && !isGone(error) && (
      <Button icon="refresh" onClick={onRetry}>
        {say('retry')}
      </Button>
    )}
  </div>
)
