import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'
import { showError, showNotice } from '../components/notices.tsx'

export const usersQuery = (page: number) =>
  queryOptions({
    queryKey: ['people', 'users', page],
    queryFn: ({ signal }) => unwrap(api.GET('/api/admin/users', { params: { query: { page } }, signal })),
    placeholderData: keepPreviousData,
  })

export const accountTokensQuery = (page: number) =>
  queryOptions({
    queryKey: ['people', 'tokens', page],
    queryFn: ({ signal }) => unwrap(api.GET('/api/admin/users/api-tokens', { params: { query: { page } }, signal })),
    placeholderData: keepPreviousData,
  })

export const rolesQuery = queryOptions({
  queryKey: ['people', 'roles'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/roles', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

export const customersQuery = (page: number) =>
  queryOptions({
    queryKey: ['people', 'customers', page],
    queryFn: ({ signal }) => unwrap(api.GET('/api/admin/customers', { params: { query: { page } }, signal })),
    placeholderData: keepPreviousData,
  })

/** Runs an operation and shows the notice that it returns. Then fetches the lists of people again. */
export function usePeopleAction() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (operation: () => Promise<string>) => operation(),
    onSuccess: (notice) => showNotice(notice),
    onError: showError,
    onSettled: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
}
