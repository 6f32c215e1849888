import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, relative } from 'node:path'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../../..')

type Instruction = { name: string; value: string }

/** Returns the stages of the Dockerfile. The last one is the image. */
export function readDockerStages(): Instruction[][] {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name = '', value = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, value: value.trim() })
  }
  return stages
}

/** Returns the last value of an instruction in the stage of the image. */
export const getImageInstruction = (name: string): string =>
  readDockerStages()
    .at(-1)
    ?.findLast((one) => one.name === name)?.value ?? ''

/** Parses the JSON array in the value of an instruction. The YAML parser also reads JSON. */
export const parseArray = (value: string): string[] => parse(value.slice(value.indexOf('[')))

type Stage = 'build' | 'app'

const findStage = (name: Stage): Instruction[] =>
  readDockerStages().find(([from]) => from?.value.endsWith(` AS ${name}`)) ?? []

/** Returns what a stage copies from the checkout, with its path below the working folder. */
export const listCopiedFiles = (stage: Stage): Array<{ from: string; to: string }> =>
  findStage(stage)
    .filter(({ name, value }) => name === 'COPY' && !value.startsWith('--from'))
    .flatMap(({ value }) => {
      const paths = value.split(/\s+/)
      const target = paths.pop() ?? ''
      return paths.map((from) => ({ from, to: target.endsWith('/') ? join(target, basename(from)) : target }))
    })

const listBuiltPaths = (): string[] =>
  findStage('app').flatMap(({ name, value }) => {
    const [, path] = /^--from=build \/app\/(\S+) \1$/.exec(value) ?? []
    return name === 'COPY' && path ? [path] : []
  })

/** Whether `.dockerignore` excludes a path. The last line that matches the path or a parent folder decides. */
export function isIgnored(path: string): boolean {
  const above = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  return readIgnoreLines().reduce((ignored, line) => {
    const isExcepted = line.startsWith('!')
    const matches = above.some((one) =>
      matchesGlob(replaceLeadingDots(one), replaceLeadingDots(isExcepted ? line.slice(1) : line)),
    )
    return matches ? !isExcepted : ignored
  }, false)
}

/** Replaces leading dots, because a wildcard matches them in `.dockerignore`, but not in `matchesGlob`. */
const replaceLeadingDots = (path: string): string => path.replace(/(^|\/)\./g, '$1dot-')

const readIgnoreLines = (): string[] =>
  readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

type Locked = { dev?: boolean; optional?: boolean; cpu?: string[]; os?: string[]; libc?: string[] }

/** Returns what `npm ci --omit=dev` can install, by the path below the checkout. */
export const listLockedPackages = (): Array<[path: string, Locked]> =>
  Object.entries<Locked>(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages).filter(
    ([path, { dev }]) => path !== '' && !dev,
  )

/**
 * Creates the files of the Docker image in `folder`, as far as possible without Docker. Builds in `buildFolder`, or not
 * at all if it is null, and links the packages of the checkout without development dependencies.
 */
export function createImageFolder(folder: string, buildFolder: string | null): void {
  copyStage('app', folder)
  if (buildFolder) {
    buildStage(buildFolder)
    for (const path of listBuiltPaths()) cpSync(join(buildFolder, path), join(folder, path), { recursive: true })
  }
  const isTopLevel = (path: string) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)
  for (const [path] of listLockedPackages()) {
    if (!isTopLevel(path) || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
}

function copyStage(stage: Stage, folder: string): void {
  for (const { from, to } of listCopiedFiles(stage)) {
    cpSync(join(root, from), join(folder, to), {
      recursive: true,
      filter: (path) => !isIgnored(relative(root, path)),
    })
  }
}

function buildStage(folder: string): void {
  copyStage('build', folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const built = spawnSync(process.execPath, ['tools/build.ts'], { cwd: folder, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`Nothing is built from what the image is made of: ${built.stderr}`)
}
