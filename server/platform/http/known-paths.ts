import type { FastifyInstance } from 'fastify'

export type KnownPaths = {
  /** Returns the methods of the routes that match the path, sorted. The list is empty if no route matches. */
  methodsOf: (path: string) => string[]
}

type Pattern = { segments: string[]; method: string }

/** Collects the routes that are registered after this call, to distinguish a wrong method from a path that does not exist. */
export function collectPaths(app: FastifyInstance): KnownPaths {
  const patterns: Pattern[] = []
  app.addHook('onRoute', ({ method, url }) => {
    // With CORS, one route answers preflights of all paths.
    if (url === '*' || url === '/*') return
    for (const one of [method].flat()) patterns.push({ segments: url.split('/'), method: one })
  })
  return {
    methodsOf(path) {
      const segments = path.split('/')
      const methods = patterns.filter((pattern) => matches(pattern.segments, segments)).map(({ method }) => method)
      return [...new Set(methods)].sort()
    },
  }
}

/** A parameter matches one segment that is not empty, and `*` matches the rest. */
function matches(pattern: string[], segments: string[]): boolean {
  const rest = pattern.indexOf('*')
  if (rest < 0 && pattern.length !== segments.length) return false
  if (segments.length < pattern.length) return false
  const compared = rest < 0 ? pattern : pattern.slice(0, rest)
  return compared.every((one, index) => (one.startsWith(':') ? segments[index] !== '' : one === segments[index]))
}
