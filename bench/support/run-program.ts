import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { must } from '../../contract/must.ts'
import { spawnProgram } from './children.ts'

/** Both in seconds. `cpu` is that of the program and all its children. */
export type ProgramTime = { elapsed: number; cpu: number }

/** Runs a program to its end. Throws if it fails. */
export async function runProgram(command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProgramTime> {
  const begin = performance.now()
  // Only a shell knows the CPU time of a program that has ended.
  const shell = ['bash', '-c', '"$@" >&2 && times', 'bash', ...command]
  const child = spawnProgram(shell, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [times, errors, [code]] = await Promise.all([
    text(must(child.stdout, 'the output')),
    text(must(child.stderr, 'the errors')),
    once(child, 'exit'),
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${errors}`)
  return { elapsed: (performance.now() - begin) / 1000, cpu: readSeconds(times.trim().split('\n').at(-1) ?? '') }
}

/** Adds up `1m2.345s 0m0.678s`. */
const readSeconds = (line: string): number =>
  [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
