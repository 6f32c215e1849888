import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { quote } from '../text/quote.ts'

/** Returns `proofroom` if that starts this installation, otherwise a path, as a word of a shell. */
export function findOwnProgram(): string {
  const [, started = ''] = process.argv
  const script = existsSync(started) ? realpathSync(started) : started
  const wrapper = join(script, '..', 'proofroom')
  const programs = [script, wrapper].filter((path) => existsSync(path))
  const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
  const installed = folders.map((folder) => join(folder, 'proofroom')).filter((path) => existsSync(path))
  if (installed.some((path) => programs.includes(realpathSync(path)))) return 'proofroom'
  return quote(programs.at(-1) ?? 'proofroom')
}
