import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failed, isGone, Waiting } from './loaded.tsx'
import { Empty, Page } from './page.tsx'

type Props<T> = {
  query: UseQueryResult<T>
  /** Of the module: above what went wrong. */
  title: string
  /** Of a record that is not there, or not there any more: what to say, and the way to all the others. */
  gone: { title: string; text: string; toAll: ReactNode }
  children: (data: T) => ReactNode
}

/** The page of one record. Gone is gone, also where it was shown a moment ago. */
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
