import { execFile } from 'node:child_process'
import { chmod, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { path7za } from '7zip-bin'
import { type Requirement, requireProgram } from '../run/requirements.ts'

const run = promisify(execFile)
const maxMs = 120_000

/** A Python program that fails with the name of the first damaged entry. */
const readWithPython = 'import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip())'

type ArchiveProgram = {
  name: string
  needs: Requirement[]
  /** Rejects when the archive is damaged. */
  test: (archive: string, folder: string) => Promise<unknown>
}

/** Common programs that open archives. Each rejects a truncated file and checks every CRC-32. */
export const archivePrograms: ArchiveProgram[] = [
  {
    name: 'unzip',
    needs: [requireProgram('unzip')],
    test: (archive) => run('unzip', ['-tqq', archive], { timeout: maxMs }),
  },
  {
    name: 'python3',
    needs: [requireProgram('python3')],
    test: (archive) => run('python3', ['-c', readWithPython, archive], { timeout: maxMs }),
  },
  {
    name: '7-Zip',
    // npm ci installs this program.
    needs: [],
    async test(archive, folder) {
      // The package does not set the executable bit.
      const executable = join(folder, '7za')
      await copyFile(path7za, executable)
      await chmod(executable, 0o755)
      return run(executable, ['t', '-bd', archive], { timeout: maxMs })
    },
  },
]
