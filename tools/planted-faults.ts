/**
 * `npm run test:planted`: checks that the tests notice known faults. Each patch in `planted-faults/` breaks one promise
 * of the product. This applies one patch at a time to a copy of the working tree and runs the tests there. The exit code
 * is 1 when no test fails for one of them. `--only 07,12` takes these faults alone. `--skip-baseline` does not run the
 * tests without a fault first, as after `npm test`. `--check` runs no test: the exit code is 1 when a patch does not apply
 * to the sources as they are.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { builtFolders } from './is-stale.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'tools/planted-faults')

/** Fails with every fault, since the patch that was applied does not apply a second time. */
const ownTest = 'tests/architecture/planted-faults.test.ts'

export type PlantedFault = {
  /** Of the file, without `.patch`: `07-short-name`. */
  name: string
  path: string
  /** The sentence that does not hold any more with the fault. */
  promise: string
  /** The test file that fails with the fault. */
  foundBy: string
  /** The files that the patch changes. */
  files: string[]
}

/** Returns all planted faults, in the order of their numbers. */
export const readPlantedFaults = (): PlantedFault[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.patch'))
    .sort()
    .map((file) => {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      const head = text.split(/^diff --git /m, 1)[0] ?? ''
      return {
        name: file.replace(/\.patch$/, ''),
        path,
        promise: head.replace(/^Found-by:.*$/m, '').trim(),
        foundBy: /^Found-by: (.+)$/m.exec(head)?.[1]?.trim() ?? '',
        files: [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].flatMap(([, changed]) => changed ?? []),
      }
    })

/** Returns one line for each patch that does not apply to the sources, with what git says about it. */
export function findStalePatches(faults: readonly PlantedFault[]): string[] {
  // git stops at the first patch that does not apply, so each is asked about only when there is one.
  if (faults.length === 0 || applyPatches(root, faults, ['--check']) === null) return []
  return faults.flatMap((fault) => {
    const complaint = applyPatches(root, [fault], ['--check'])
    return complaint === null ? [] : [`${fault.name}: ${complaint}`]
  })
}

/** Returns what git complains of; null when the patches apply. Works outside a repository as well. */
function applyPatches(tree: string, faults: readonly PlantedFault[], options: string[] = []): string | null {
  const paths = faults.map(({ path }) => path)
  const { error, status, stderr } = spawnSync('git', ['apply', '--unidiff-zero', ...options, ...paths], {
    cwd: tree,
    encoding: 'utf8',
    // In a repository that lies further up, git would pass over all files of the tree.
    env: { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: dirname(realpathSync(tree)) },
  })
  if (error) throw error
  return status === 0 ? null : stderr.trim()
}

/** Throws for a number that no fault has. */
function chosenFaults(only: string | undefined): PlantedFault[] {
  const faults = readPlantedFaults()
  if (only === undefined) return faults
  return only.split(',').map((number) => {
    const fault = faults.find(({ name }) => Number.parseInt(name, 10) === Number(number))
    if (!fault) throw new Error(`There is no planted fault ${number}.`)
    return fault
  })
}

async function plantAll(faults: readonly PlantedFault[], { hasBaseline }: { hasBaseline: boolean }): Promise<void> {
  const tree = await mkdtemp(join(realpathSync(tmpdir()), 'proofroom-planted-'))
  const removeTree = () => rm(tree, { recursive: true, force: true })
  process.once('SIGINT', () => void removeTree().finally(() => process.exit(130)))
  try {
    await copyWorkingTree(tree)
    if (hasBaseline && !(await passesUnpatched(tree, faults))) {
      process.exitCode = 1
      return
    }
    await copyBuilt(tree, join(tree, built))
    const found: string[] = []
    for (const fault of faults) found.push(...(await findingFile(tree, fault)))
    const byNpmTest = found.filter((file) => !isOfFullTier(file)).length
    console.log(`${found.length} of ${faults.length} planted faults found, ${byNpmTest} of them by npm test`)
    if (found.length < faults.length) process.exitCode = 1
  } finally {
    await removeTree()
  }
}

/** Copies all files that git knows or would add, and what is built of them. The packages are those of the working tree. */
async function copyWorkingTree(tree: string): Promise<void> {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options)
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
  for (const file of files) await copyAsItIs(join(root, file), join(tree, file))
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  await copyBuilt(root, tree)
}

/** Where a tree keeps what is built without a fault. */
const built = '.built'

async function copyBuilt(from: string, to: string): Promise<void> {
  for (const folder of builtFolders) {
    if (existsSync(join(from, folder))) await copyAsItIs(join(from, folder), join(to, folder))
  }
}

/** With the times of the files: by these the tests know whether something has to be built. */
const copyAsItIs = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, preserveTimestamps: true })

/**
 * Returns whether all test files that are to fail with a fault pass without one. A file that fails beside the others
 * runs once more alone.
 */
async function passesUnpatched(tree: string, faults: readonly PlantedFault[]): Promise<boolean> {
  const startedAt = performance.now()
  const files = [...new Set(faults.map(({ foundBy }) => foundBy))]
  const tiers = [files.filter((file) => !isOfFullTier(file)), files.filter(isOfFullTier)]
  const failed: Failure[] = []
  for (const tier of tiers) if (tier.length > 0) failed.push(...(await runTests(tree, tier)))
  const failedAgain: Failure[] = []
  for (const file of new Set(failed.map(({ file }) => file))) failedAgain.push(...(await runTests(tree, [file])))
  for (const { file, test } of failedAgain) console.error(`Fails without a fault: ${file} > ${test}`)
  if (failedAgain.length > 0) return false
  console.log(`Test files that pass without a fault: ${files.length} (${secondsSince(startedAt)} s)`)
  return true
}

/** Prints which test fails with the fault. Returns the file of that test, if there is one. */
async function findingFile(tree: string, fault: PlantedFault): Promise<string[]> {
  const { name, promise, foundBy } = fault
  const startedAt = performance.now()
  const restore = await applyFault(tree, fault)
  const failure = await firstFailure(tree, fault).finally(restore)
  const instead = failure && failure.file !== foundBy ? `, not by ${foundBy}` : ''
  const outcome = failure ? `Found by ${failure.file}${instead}: ${failure.test}` : 'NOT FOUND'
  console.log(`${name.slice(0, 2)} ${promise} ${outcome} (${secondsSince(startedAt)} s)`)
  return failure ? [failure.file] : []
}

/** Returns what fails first: in the test file of the fault, else in the whole `npm test` tier. */
async function firstFailure(tree: string, { foundBy, files }: PlantedFault): Promise<Failure | null> {
  // What tests load in a browser or start as a process is built anew when a source is newer, which takes seconds.
  if (isOfFullTier(foundBy) || foundBy.startsWith('tests/browser/')) await makeNewer(tree, files)
  const [failure] = await runTests(tree, [foundBy], ['--bail=1'])
  if (failure) return failure
  await makeNewer(tree, files)
  const [other] = await runTests(tree, [], ['--bail=1', '--exclude', ownTest])
  return other ?? null
}

async function makeNewer(tree: string, files: readonly string[]): Promise<void> {
  const now = new Date()
  for (const file of files) await utimes(join(tree, file), now, now)
}

/** Patches the files, whose times stay. Returns what brings back the files and what was built. */
async function applyFault(tree: string, fault: PlantedFault): Promise<() => Promise<void>> {
  const before: Array<{ path: string; bytes: Buffer; time: Date }> = []
  for (const file of fault.files) {
    const path = join(tree, file)
    before.push({ path, bytes: await readFile(path), time: (await stat(path)).mtime })
  }
  const complaint = applyPatches(tree, [fault])
  if (complaint !== null) throw new Error(`${fault.name} does not apply: ${complaint}`)
  for (const { path, time } of before) await utimes(path, time, time)
  return async () => {
    for (const { path, bytes, time } of before) {
      await writeFile(path, bytes)
      await utimes(path, time, time)
    }
    for (const folder of builtFolders) await rm(join(tree, folder), { recursive: true, force: true })
    await copyBuilt(join(tree, built), tree)
  }
}

type Failure = { file: string; test: string }
type Report = {
  testResults: Array<{
    name: string
    status: string
    message: string
    assertionResults: Array<{ fullName: string; status: string }>
  }>
}

/**
 * Runs these test files of one tier, or all of `npm test` when none is named. Returns the first failure of each
 * file that fails. Throws when vitest ends without a report.
 */
async function runTests(tree: string, files: readonly string[], options: readonly string[] = []): Promise<Failure[]> {
  const report = join(tree, '.report.json')
  await rm(report, { force: true })
  const reporting = ['--reporter=json', `--outputFile=${report}`]
  const { code, output, isStopped } = await runVitest(tree, [...reporting, ...tierOf(files), ...options, ...files])
  if (isStopped) return [{ file: files[0] ?? '', test: `no end after ${patienceMs / 60_000} minutes` }]
  const text = await readFile(report, 'utf8').catch(() => null)
  if (text === null) throw new Error(`vitest has written no report:\n${output.slice(-4000)}`)
  const { testResults } = JSON.parse(text) as Report
  if (testResults.length === 0) throw new Error(`There is no test in ${files.join(', ')}:\n${output.slice(-4000)}`)
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const failed = assertionResults.find(({ status }) => status === 'failed')
      return { file: relative(tree, name), test: failed?.fullName ?? message.split('\n', 1)[0] ?? '' }
    })
  if (code !== 0 && failures.length === 0)
    failures.push({ file: files[0] ?? '', test: 'an error outside of all tests' })
  return failures
}

const isOfFullTier = (file: string): boolean => file.endsWith('.full.test.ts')

/** The options of Vitest for the tier of these files: `npm test` unless one is of `npm run test:full`. */
const tierOf = (files: readonly string[]): string[] =>
  files.some(isOfFullTier) ? ['--config', 'vitest.full.config.ts', '--project', '!PostgreSQL*'] : []

/** Longer than all tests take on a busy machine. A run that hangs because of a fault is stopped then and counts as failed. */
const patienceMs = 30 * 60_000

async function runVitest(
  tree: string,
  options: string[],
): Promise<{ code: number | null; output: string; isStopped: boolean }> {
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options], {
    cwd: tree,
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: 'node_modules/.cache/compiled' },
    timeout: patienceMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  return { code, output, isStopped: child.killed }
}

const secondsSince = (startedAt: number): string => ((performance.now() - startedAt) / 1000).toFixed(1)

if (import.meta.main) {
  const options = {
    only: { type: 'string' },
    check: { type: 'boolean' },
    'skip-baseline': { type: 'boolean' },
  } as const
  const { values } = parseArgs({ options })
  const faults = chosenFaults(values.only)
  const stale = findStalePatches(faults)
  for (const line of stale) console.error(`Does not apply: ${line}`)
  if (stale.length > 0) process.exitCode = 1
  else if (values.check) console.log(`All ${faults.length} patches apply.`)
  else await plantAll(faults, { hasBaseline: !values['skip-baseline'] })
}
