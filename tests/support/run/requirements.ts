import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'vitest'

type Skip = TestContext['skip']

/** A dependency of a test that npm does not install. */
export type Requirement = {
  isMet: () => boolean
  name: string
  remedy: string
}

/** `.ci/run` and most CI services set this variable. */
export const isInCi = Boolean(process.env.CI)

const programList = readFileSync(join(import.meta.dirname, '../../../.ci/programs'), 'utf8')
/** The Debian package of each program that tests start. `.ci/install-programs` installs them. */
const packages = new Map(programList.split('\n').map((line) => line.split(' ') as [string, string]))

const isOnPath = (name: string): boolean => spawnSync('sh', ['-c', 'command -v "$0"', name]).status === 0

/** Returns the requirement of a program on the path. Throws when `.ci/programs` does not list it. */
export function requireProgram(name: string): Requirement {
  const debianPackage = packages.get(name)
  if (debianPackage === undefined) throw new Error(`.ci/programs does not list ${name}`)
  const remedy = `Install the Debian package ${debianPackage}, or run .ci/install-programs as root.`
  return { name, isMet: () => isOnPath(name), remedy }
}

/** For tests that read `/proc` or limit the resources of processes. */
export const linux: Requirement = {
  name: 'Linux',
  isMet: () => process.platform === 'linux',
  remedy: 'Run the tests on Linux.',
}

/** For tests that build and run the container image. */
export const imageBuilder: Requirement = {
  name: 'buildah and root',
  isMet: () => process.getuid?.() === 0 && isOnPath('buildah'),
  remedy: 'Install the Debian package buildah, and run the tests as root.',
}

/** For `.s3.test.ts` files and the project "PostgreSQL + S3" of `npm run test:full`. */
export const objectStore: Requirement = {
  name: 'an S3 store',
  isMet: () => Boolean(process.env.TEST_S3_ENDPOINT),
  remedy: 'Set TEST_S3_ENDPOINT and the other TEST_S3_ variables (see CONTRIBUTING.md).',
}

/** Skips the test with a note when a requirement is not met. In CI it throws instead. */
export function requireOrSkip(skip: Skip, requirements: Requirement[], inCi = isInCi): void {
  const unmet = requirements.find(({ isMet }) => !isMet())
  if (!unmet) return
  if (inCi) throw createMissingError(unmet)
  skip(`tests that need ${unmet.name}`)
}

export const createMissingError = ({ name, remedy }: Requirement): Error =>
  new Error(`The tests need ${name}, which is missing here. ${remedy}`)
