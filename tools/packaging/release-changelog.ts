/**
 * `npm version` runs this: what CHANGELOG.md has as unreleased becomes the changes of the version in package.json, and
 * proofroom-client gets the same version.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../is-stale.ts'

const heading = '## [Unreleased]'

/** Returns the changelog with the version. `date` is like 2026-11-23. Throws if nothing is unreleased. */
export function releaseChanges(changelog: string, version: string, date: string): string {
  const [, unreleased = ''] = changelog.split(heading)
  if (!unreleased.split(/^## /m)[0]?.trim()) throw new Error(`CHANGELOG.md has nothing below ${heading}`)
  return changelog.replace(heading, `${heading}\n\n## [${version}] - ${date}`)
}

if (import.meta.main) {
  const file = join(root, 'CHANGELOG.md')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  writeFileSync(file, releaseChanges(readFileSync(file, 'utf8'), version, new Date().toISOString().slice(0, 10)))
  const client = join(root, 'clients/typescript/package.json')
  writeFileSync(client, readFileSync(client, 'utf8').replace(/"version": ".*"/, `"version": "${version}"`))
}
