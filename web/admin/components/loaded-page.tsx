import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isNotFound, LoadError, Loading } from './loaded.tsx'
import { Empty, Page } from './page.tsx'

type Props<T> = {
  query: UseQueryResult<T>
  /** The title of the page where loading failed. */
  title: string
  /** For a record that does not exist: the messages, and a link to the list. */
  notFound: { title: string; text: string; listLink: ReactNode }
  children: (data: T) => ReactNode
}

/** The page of one record. A 404 also replaces a record that was shown before. */
export function LoadedPage<T>({ query, title, notFound, children }: Props<T>) {
  if (isNotFound(query.error)) {
    return (
      <Page title={notFound.title}>
        <Empty title={notFound.text}>{notFound.listLink}</Empty>
      </Page>
    )
  }
  if (query.data !== undefined) return children(query.data)
  if (!query.isError) return <Loading />
  return (
    <Page title={title}>
      <LoadError error={query.error} onRetry={() => query.refetch()} />
    </Page>
  )
}
