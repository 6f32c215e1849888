import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { external } from '../build-server.ts'
import { root } from '../is-stale.ts'

/** A package in `package-lock.json`. */
export type LockedPackage = {
  version: string
  license?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const locked: Record<string, LockedPackage> = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/** Returns a package by its path, such as `node_modules/sharp`. Throws if it is not in `package-lock.json`. */
export function getLocked(path: string): LockedPackage {
  const found = locked[path]
  if (!found) throw new Error(`package-lock.json does not have ${path}`)
  return found
}

/** Returns the name of the package that is installed at a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * Returns the paths of the packages that are not bundled, and of their dependencies. `withOptional` adds the native
 * packages for all platforms.
 */
export function listRuntimePackages({ withOptional }: { withOptional: boolean }): string[] {
  const { dependencies = {}, optionalDependencies } = getLocked('')
  const found = new Set<string>()
  const visit = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    const { dependencies, optionalDependencies } = getLocked(path)
    const needed = { ...dependencies, ...(withOptional && optionalDependencies) }
    for (const name of Object.keys(needed)) visit(resolveFrom(path, name))
  }
  const names = Object.keys(dependencies).filter(isExternal)
  if (withOptional) names.push(...Object.keys(optionalDependencies ?? {}))
  for (const name of names) visit(resolveFrom('', name))
  return [...found].sort()
}

const isExternal = (name: string): boolean =>
  external.some((pattern) => (typeof pattern === 'string' ? pattern === name : pattern.test(name)))

/** Finds a dependency of the package at `from` as Node does: first below that package, then in the folders above. */
function resolveFrom(from: string, name: string): string {
  const path = [from, 'node_modules', name].filter(Boolean).join('/')
  if (locked[path]) return path
  if (!from) throw new Error(`package-lock.json does not have ${name}`)
  return resolveFrom(from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0)), name)
}
