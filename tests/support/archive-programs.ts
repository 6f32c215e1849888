import { execFile } from 'node:child_process'
import { chmod, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { path7za } from '7zip-bin'

const run = promisify(execFile)
const longestMs = 120_000

/** Names the first entry that is damaged. */
const readWithPython = 'import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip())'

/** Programs that people open archives with: each rejects a file that is not whole, every CRC-32 compared. */
export const archivePrograms = [
  {
    name: 'unzip',
    test: (archive: string, _folder: string) => run('unzip', ['-tqq', archive], { timeout: longestMs }),
  },
  {
    name: 'python3',
    test: (archive: string, _folder: string) => run('python3', ['-c', readWithPython, archive], { timeout: longestMs }),
  },
  {
    name: '7-Zip',
    async test(archive: string, folder: string) {
      // The package does not mark it as a program.
      const program = join(folder, '7za')
      await copyFile(path7za, program)
      await chmod(program, 0o755)
      return run(program, ['t', '-bd', archive], { timeout: longestMs })
    },
  },
]

/** Whether the machine has the program; 7-Zip comes with the development packages. */
export async function isInstalled(name: string): Promise<boolean> {
  if (name === '7-Zip') return true
  return run(name, [name === 'unzip' ? '-v' : '--version']).then(
    () => true,
    () => false,
  )
}
