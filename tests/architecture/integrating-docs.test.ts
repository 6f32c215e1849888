import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CreateEventBody } from '../../contract/events.ts'
import { GalleryListQuery } from '../../contract/gallery/gallery.ts'
import { ListPhotosQuery, PhotoRecord } from '../../contract/photos.ts'
import { problems } from '../../contract/problems.ts'
import {
  adminRoutes,
  apiTokenRoutes,
  customerRoutes,
  galleryRoutes,
  unauthenticatedRoutes,
} from '../support/access/routes.ts'
import { root } from './source-files.ts'

const folder = join(root, 'docs/integrating')
const names = readdirSync(folder)
const page = (name: string) => readFileSync(join(folder, name), 'utf8')
const pages = names.map(page).join('\n')

/** Returns calls such as `GET /api/v1/events/{event_id}` in the form of registered routes. */
const callsIn = (text: string): string[] =>
  [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/api\/[^\s`?]*)/g)].map(
    ([, method, path = '']) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
  )

describe('the pages for integrators', () => {
  test('name every call of the public API and no missing call', () => {
    const ofPublicApi = apiTokenRoutes.map(({ route }) => route)
    const all = new Set([
      ...ofPublicApi,
      ...adminRoutes.map(({ route }) => route),
      ...customerRoutes,
      ...galleryRoutes,
      ...unauthenticatedRoutes,
    ])
    const named = callsIn(pages)
    expect(named.filter((call) => !all.has(call))).toEqual([])
    expect(ofPublicApi.filter((route) => !named.includes(route))).toEqual([])
  })

  test('list the calls of the public API with their scopes and permissions', () => {
    const rows = [...page('token-calls.md').matchAll(/^\| `(\w+ \/\S+)` \| `(\w+)` \| ([^|]+) \|$/gm)]
    const described = rows.map(([, call = '', scope, permissions = '']) => ({
      route: call.replace(/\{(\w+)\}/g, ':$1'),
      scope,
      permissions: permissions.match(/\w+\.\w+/g) ?? [],
    }))
    const all = apiTokenRoutes.map(({ route, scope, permission }) => ({
      route,
      scope,
      permissions: [permission ?? []].flat(),
    }))
    const byRoute = (one: { route: string }, other: { route: string }) => (one.route < other.route ? -1 : 1)
    expect(described.sort(byRoute)).toEqual(all.sort(byRoute))
  })

  test('list exactly the error codes, with their status', () => {
    const rows = [...page('errors.md').matchAll(/^\| (\d{3}) \| ([^|]+) \|/gm)]
    const described = rows.flatMap(
      ([, status, codes = '']) => codes.match(/[A-Z_]+/g)?.map((code) => `${status} ${code}`) ?? [],
    )
    const all = Object.entries(problems).map(([code, { status }]) => `${status} ${code}`)
    expect(described.sort()).toEqual(all.sort())

    const elsewhere = [...pages.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code = '']) => code)
    const isKnown = (name: string) => name in problems || ['PUBLIC_URL', 'CORS_ORIGINS'].includes(name)
    expect(elsewhere.filter((name) => !isKnown(name))).toEqual([])
  })

  test('list every field that creates an event, every parameter of the lists and every mark', () => {
    const marks = Object.keys(PhotoRecord.properties).filter((field) => /rating|label|_count/.test(field))
    const wanted: Array<[names: string[], fields: object]> = [
      [['events.md'], CreateEventBody.properties],
      [['marks.md', 'paging.md'], ListPhotosQuery.properties],
      [['marks.md', 'paging.md'], Object.fromEntries(marks.map((field) => [field, null]))],
      [['gallery-list.md', 'paging.md'], GalleryListQuery.properties],
    ]
    for (const [pagesOf, fields] of wanted) {
      const described = new Set(pagesOf.map(page).join().match(/\w+/g))
      const missing = Object.keys(fields).filter((field) => !described.has(field) && field !== 'comment_count')
      expect(missing, pagesOf.join()).toEqual([])
    }
  })

  test('can all be reached from the quick start', () => {
    const reached = [...page('quick-start.md').matchAll(/\]\((\w[\w-]*\.md)\)/g)].map(([, name]) => name)
    expect(names.filter((name) => name !== 'quick-start.md' && !reached.includes(name))).toEqual([])
  })
})
