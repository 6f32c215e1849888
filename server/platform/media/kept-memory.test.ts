import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { jpeg } from '../../../tests/support/media/pictures.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { readCaptureTime } from './capture-time.ts'
import { readCamera } from './read-camera.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const measureHeap = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** An image worker has a heap of 64 MB, and reads thousands of pictures in one import. */
test.each([
  ['the capture time', readCaptureTime],
  ['the camera', readCamera],
])('reading %s of many pictures keeps no memory', async (_name, read) => {
  const path = join(await temporaryFolder(), 'a.jpg')
  await writeFile(path, await jpeg({ seed: 1 }))
  const readMany = async (count: number) => {
    for (let done = 0; done < count; done++) await read(path)
  }
  await readMany(50)
  const before = measureHeap()
  await readMany(100)
  expect((measureHeap() - before) / 100).toBeLessThan(2_000)
})
