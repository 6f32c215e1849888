import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
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

export const readIgnoreLines = (): string[] =>
  readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
