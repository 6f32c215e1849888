import { readJson } from './bounded-body.ts'
import type { Send } from './connection.ts'
import { type Download, type DownloadOptions, download } from './download.ts'
import type {
  Arguments,
  CallOptions,
  InputOf,
  OperationAt,
  PathArguments,
  PathOf,
  QueryOf,
  ReplyOf,
  Verb,
} from './operation-types.ts'
import { type PagedList, pagedList } from './paged-list.ts'
import type { Repeat } from './retries.ts'

/**
 * What is safe to repeat: `keyed` operations accept an `Idempotency-Key`, `idempotent` ones have the same effect twice.
 * By default, a POST is neither, and every other method is idempotent.
 */
export type Safety = 'keyed' | 'idempotent'

type Split = { path: Record<string, unknown>; input: object | undefined; options: CallOptions }

/** Returns functions that make one method of a client from the path of an operation. */
export function createCalls<Paths extends object>(send: Send) {
  return {
    /** `call('PATCH', '/api/v1/events/{event_id}', 'body')` is `(eventId, body, options?) => Promise<Event>`. */
    call<V extends Verb, Path extends PathOf<Paths, V>>(
      verb: V,
      path: Path,
      input: InputOf<OperationAt<Paths, Path, V>>,
      safety?: Safety,
    ) {
      type Operation = OperationAt<Paths, Path, V>
      const repeat: Repeat = verb !== 'POST' || safety !== undefined ? 'always' : 'rejected'
      return async (...args: Arguments<Path, Operation>): Promise<ReplyOf<Operation>> => {
        const { path: parameters, input: given, options } = split(path, input, args)
        const response = await send(verb, path, {
          ...(safety === 'keyed' ? withKey(options) : options),
          path: parameters,
          query: input === 'query' ? given : undefined,
          body: input === 'body' ? given : undefined,
          repeat,
        })
        return readJson<ReplyOf<Operation>>(response)
      }
    },

    /** `list('/api/v1/events', 'events')` is `(query?, options?) => PagedList`. */
    list<Path extends PathOf<Paths, 'GET'>, Key extends string>(path: Path, key: Key) {
      type Operation = OperationAt<Paths, Path, 'GET'>
      type Page = ReplyOf<Operation>
      type Item = Page extends { [K in Key]: Array<infer One> } ? One : never
      return (
        ...args: [...PathArguments<Path, Operation>, query?: QueryOf<Operation>, options?: CallOptions]
      ): PagedList<Item, Page> => {
        const { path: parameters, input, options } = split(path, 'query', args)
        return pagedList<Item, Page>(key, input, async (query) => {
          const response = await send('GET', path, { ...options, path: parameters, query })
          return { response, page: await readJson<Page>(response) }
        })
      }
    },

    /** `download('/api/v1/events/{event_id}/photos/download')` is `(eventId, query?, options?) => Promise<Download>`. */
    download<Path extends PathOf<Paths, 'GET'>>(path: Path, input: InputOf<OperationAt<Paths, Path, 'GET'>>) {
      return (...args: Arguments<Path, OperationAt<Paths, Path, 'GET'>, DownloadOptions>): Promise<Download> => {
        const { path: parameters, input: query, options } = split(path, input, args)
        return download(send, path, { path: parameters, query }, options)
      }
    },
  }
}

const withKey = (options: CallOptions): CallOptions => ({
  ...options,
  headers: { 'idempotency-key': crypto.randomUUID(), ...options.headers },
})

function split(path: string, input: string, args: readonly unknown[]): Split {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const [given, options] = args.slice(names.length)
  return {
    path: Object.fromEntries(names.map((name, index) => [name, args[index]])),
    input: input === 'none' ? undefined : (given as object | undefined),
    options: ((input === 'none' ? given : options) ?? {}) as CallOptions,
  }
}
