import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failed, isGone, Waiting } from './loaded.tsx'
import { Empty, Page } from './page.tsx'

type Props<T> = {
  query: UseQueryResult<T>
  /** The title of the page where loading failed. */
  title: string
  /** For a record that does not exist: the messages, and a link to the list. */
  gone: { title: string; text: string; toAll: ReactNode }
  children: (data: T) => ReactNode
}

/** The page of one record. A 404 also replaces a record that was shown before. */
export function LoadedPage<T>({ query, title, gone, children }: Props<T>) {
  if (isGone(query.error)) {
    return (
      <Page title={gone.title}>
        <Empty title={gone.text}>{gone.toAll}</Empty>
      </Page>
    )
  }
  if (query.data !== undefined) return children(query.data)
  if (!query.isError) return <Waiting />
  return (
    <Page title={title}>
      <Failed error={query.error} onRetry={() => query.refetch()} />
    </Page>
  )
}
