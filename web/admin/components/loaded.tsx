import './loaded.css'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../shared/api-error.ts'
import { translator } from '../app/language.ts'
import { Button } from './button.tsx'
import { errorMessage } from './error-messages.ts'
import { Empty, Page } from './page.tsx'

const t = translator('parts')

type Props<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode }

export function Loaded<T>({ query, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <LoadError error={query.error} onRetry={() => query.refetch()} />
  return <Loading />
}

/** loaded.css shows this text only after 0.4 seconds, so that fast responses cause no flicker. */
export const Loading = () => (
  <p className="waiting" role="status">
    {t('waiting')}
  </p>
)

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

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

type PageProps<T> = Props<T> & {
  title: string
  /** Shown if the record does not exist. */
  notFound: { title: string; text: string; listLink: ReactNode }
}

/** The page of one record. After a 404, `notFound` replaces even a record that is in the cache. */
export function LoadedPage<T>({ query, title, notFound, children }: PageProps<T>) {
  if (isNotFound(query.error)) {
    return (
      <Page title={notFound.title}>
        <Empty title={notFound.text}>{notFound.listLink}</Empty>
      </Page>
    )
  }
  const loaded = <Loaded query={query}>{children}</Loaded>
  return query.data === undefined && query.isError ? <Page title={title}>{loaded}</Page> : loaded
}
