/**
 * `npm run test:planted`: checks that the tests detect known faults. Each patch in `planted-faults/` is tested in a
 * copy of the working tree. The exit code is 1 if a patch does not apply, if a test fails without a fault, or if a
 * fault makes no test fail. `--only 07,12` selects faults. `--skip-baseline` skips the run without a fault. `--check`
 * only checks that the patches apply.
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

/** This test fails with every fault, because the applied patch does not apply a second time. */
const ownTest = 'tests/architecture/planted-faults.test.ts'

export type PlantedFault = {
  /** The file name without `.patch`, such as `07-short-name`. */
  name: string
  path: string
  promise: string
  foundBy: string
  files: string[]
}

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

/** Returns one text per patch that does not apply: its name and the message of git. */
export function findStalePatches(faults: readonly PlantedFault[]): string[] {
  // git stops at the first patch that does not apply, so patches are checked one by one only after a failure.
  if (faults.length === 0 || applyPatches(root, faults, ['--check']) === null) return []
  return faults.flatMap((fault) => {
    const complaint = applyPatches(root, [fault], ['--check'])
    return complaint === null ? [] : [`${fault.name}: ${complaint}`]
  })
}

/** Runs `git apply`. Returns null, or the message of git if a patch does not apply. */
function applyPatches(tree: string, faults: readonly PlantedFault[], options: string[] = []): string | null {
  const paths = faults.map(({ path }) => path)
  const { error, status, stderr } = spawnSync('git', ['apply', '--unidiff-zero', ...options, ...paths], {
    cwd: tree,
    encoding: 'utf8',
    // Otherwise, if a parent folder is a repository, git would ignore all files of the tree.
    env: { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: dirname(realpathSync(tree)) },
  })
  if (error) throw error
  return status === 0 ? null : stderr.trim()
}

/** Returns all faults, or those with the numbers in `only`. Throws for an unknown number. */
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
    await copyBuilt(tree, join(tree, builtCopy))
    const found: string[] = []
    for (const fault of faults) found.push(...(await findDetectingFile(tree, fault)))
    const byNpmTest = found.filter((file) => !isFullTier(file)).length
    console.log(`${found.length} of ${faults.length} planted faults found, ${byNpmTest} of them by npm test`)
    if (found.length < faults.length) process.exitCode = 1
  } finally {
    await removeTree()
  }
}

async function copyWorkingTree(tree: string): Promise<void> {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options)
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
  for (const file of files) await copyAsItIs(join(root, file), join(tree, file))
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  await copyBuilt(root, tree)
}

/** Folder with a copy of the builds without a fault. */
const builtCopy = '.built'

async function copyBuilt(from: string, to: string): Promise<void> {
  for (const folder of builtFolders) {
    if (existsSync(join(from, folder))) await copyAsItIs(join(from, folder), join(to, folder))
  }
}

/** Keeps the file times, because tests compare them to decide whether to build. */
const copyAsItIs = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, preserveTimestamps: true })

/** Returns whether the test files of the faults pass without a fault. A failed file runs once more alone. */
async function passesUnpatched(tree: string, faults: readonly PlantedFault[]): Promise<boolean> {
  const startedAt = performance.now()
  const files = [...new Set(faults.map(({ foundBy }) => foundBy))]
  const tiers = [files.filter((file) => !isFullTier(file)), files.filter(isFullTier)]
  const failed: Failure[] = []
  for (const tier of tiers) if (tier.length > 0) failed.push(...(await runTests(tree, tier)))
  const failedAgain: Failure[] = []
  for (const file of new Set(failed.map(({ file }) => file))) failedAgain.push(...(await runTests(tree, [file])))
  for (const { file, test } of failedAgain) console.error(`Fails without a fault: ${file} > ${test}`)
  if (failedAgain.length > 0) return false
  console.log(`Test files that pass without a fault: ${files.length} (${secondsSince(startedAt)} s)`)
  return true
}

/** Prints which test fails with the fault, or NOT FOUND. Returns the file of that test, or an empty list. */
async function findDetectingFile(tree: string, fault: PlantedFault): Promise<string[]> {
  const { name, promise, foundBy } = fault
  const startedAt = performance.now()
  const restore = await applyFault(tree, fault)
  const failure = await firstFailure(tree, fault).finally(restore)
  const instead = failure && failure.file !== foundBy ? `, not by ${foundBy}` : ''
  const outcome = failure ? `Found by ${failure.file}${instead}: ${failure.test}` : 'NOT FOUND'
  console.log(`${name.slice(0, 2)} ${promise} ${outcome} (${secondsSince(startedAt)} s)`)
  return failure ? [failure.file] : []
}

/** Runs the test file of the fault and, if it passes, all of `npm test`. */
async function firstFailure(tree: string, { foundBy, files }: PlantedFault): Promise<Failure | null> {
  // A run creates the builds again when a source is newer. That takes seconds, and only these tests need it.
  if (isFullTier(foundBy) || foundBy.startsWith('tests/browser/')) await touchFiles(tree, files)
  const [failure] = await runTests(tree, [foundBy], ['--bail=1'])
  if (failure) return failure
  await touchFiles(tree, files)
  const [other] = await runTests(tree, [], ['--bail=1', '--exclude', ownTest])
  return other ?? null
}

async function touchFiles(tree: string, files: readonly string[]): Promise<void> {
  const now = new Date()
  for (const file of files) await utimes(join(tree, file), now, now)
}

/**
 * Applies the patch of a fault without changing file times. The returned function restores the files and the builds.
 */
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
    await copyBuilt(join(tree, builtCopy), tree)
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

/** Runs these files, or all of `npm test` if there are none. Returns the first failure of each file. */
async function runTests(tree: string, files: readonly string[], options: readonly string[] = []): Promise<Failure[]> {
  const report = join(tree, '.report.json')
  await rm(report, { force: true })
  const reporting = ['--reporter=json', `--outputFile=${report}`]
  const { code, output, isStopped } = await runVitest(tree, [...reporting, ...tierOptions(files), ...options, ...files])
  if (isStopped) return [{ file: files[0] ?? '', test: `no end after ${runTimeoutMs / 60_000} minutes` }]
  const text = await readFile(report, 'utf8').catch(() => null)
  if (text === null) throw new Error(`vitest wrote no report:\n${output.slice(-4000)}`)
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

const isFullTier = (file: string): boolean => file.endsWith('.full.test.ts')

/** The files must all be `.full.test.ts` files, or none of them. */
const tierOptions = (files: readonly string[]): string[] =>
  files.some(isFullTier) ? ['--config', 'vitest.full.config.ts', '--project', '!PostgreSQL*'] : []

/** A fault can make a run hang. The run is stopped after this time and counts as failed. */
const runTimeoutMs = 30 * 60_000

async function runVitest(
  tree: string,
  options: string[],
): Promise<{ code: number | null; output: string; isStopped: boolean }> {
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options], {
    cwd: tree,
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: 'node_modules/.cache/compiled' },
    timeout: runTimeoutMs,
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
