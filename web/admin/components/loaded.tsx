import './loaded.css'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { translator } from '../app/language.ts'
import { Button } from './button.tsx'
import { errorMessage } from './error-messages.ts'

const t = translator('parts')

type Props<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode }

export function Loaded<T>({ query, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <LoadError error={query.error} onRetry={() => query.refetch()} />
  return <Loading />
}

/** loaded.css delays it, so that fast responses show no loading state. */
export const Loading = () => (
  <p className="waiting" role="status">
    {t('waiting')}
  </p>
)

/** A retry does not help with a 404. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export const LoadError = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => (
  <div className="failed" role="alert">
    <p>{errorMessage(error)}</p>
    {onRetry && !isNotFound(error) && (
      <Button icon="refresh" onClick={onRetry}>
        {t('retry')}
      </Button>
    )}
  </div>
)
