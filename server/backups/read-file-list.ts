import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Compile } from 'typebox/compile'
import { BackupFile } from '../../contract/instance/backups.ts'
import { BackupProblem, listFile, parseJson } from './backup-folder.ts'

const shape = Compile(BackupFile)

/** Yields the files of a backup in the order of the file list. Throws BackupProblem for an invalid line. */
export async function* listBackupFiles(path: string): AsyncGenerator<BackupFile, void> {
  const source = createReadStream(join(path, listFile))
  for await (const line of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
    const file = parseJson(line)
    if (!shape.Check(file)) throw new BackupProblem('damaged_list', `The file list of ${path} is damaged.`)
    yield file
  }
}

export type FileWithContent = BackupFile & { hash: string }

const batchSize = 200

export async function* listBackupContents(path: string): AsyncGenerator<FileWithContent[], void> {
  let batch: FileWithContent[] = []
  for await (const file of listBackupFiles(path)) {
    if (!hasContent(file)) continue
    batch.push(file)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  yield batch
}

const hasContent = (file: BackupFile): file is FileWithContent => file.hash !== null
