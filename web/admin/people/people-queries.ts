import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'

export const usersQuery = (page: number) =>
  queryOptions({
    queryKey: ['people', 'users', page],
    queryFn: ({ signal }) => unwrap(api.GET('/api/admin/users', { params: { query: { page } }, signal })),
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
