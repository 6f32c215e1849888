import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Compile } from 'typebox/compile'
import { BackupFile } from '../../contract/backups.ts'
import { listFile } from './backup-folder.ts'
import { BackupProblem } from './backup-problem.ts'

const shape = Compile(BackupFile)

/** Lists the files of a backup in row order. Throws BackupProblem for an invalid line. */
export async function* listedFiles(path: string): AsyncGenerator<BackupFile, void> {
  const source = createReadStream(join(path, listFile))
  for await (const line of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
    const file = parsed(line)
    if (!shape.Check(file)) throw new BackupProblem('damaged_list', `The list of files of ${path} is damaged.`)
    yield file
  }
}

export type FileWithContent = BackupFile & { hash: string }

const filesAtOnce = 200

export async function* contentsOf(path: string): AsyncGenerator<FileWithContent[], void> {
  let lot: FileWithContent[] = []
  for await (const file of listedFiles(path)) {
    if (!hasContent(file)) continue
    lot.push(file)
    if (lot.length < filesAtOnce) continue
    yield lot
    lot = []
  }
  yield lot
}

const hasContent = (file: BackupFile): file is FileWithContent => file.hash !== null

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
