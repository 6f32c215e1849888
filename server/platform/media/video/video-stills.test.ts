import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ffmpeg from '@ffmpeg-installer/ffmpeg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDecoy } from '../../../../tests/support/media/decoy-source.ts'
import { reference, withReference } from '../../../../tests/support/media/movie-boxes.ts'
import { clip } from '../../../../tests/support/media/videos.ts'
import { temporaryFolder } from '../../../../tests/support/run/temporary-folder.ts'
import type { VideoKind } from './video-header.ts'
import { createVideoStills, StillCanceled, UnreadableVideo } from './video-stills.ts'

function stillsForTest() {
  const stills = createVideoStills({ ffmpegPath: null })
  onTestFinished(stills.close)
  return stills
}

async function taskOf(bytes: Buffer, kind: VideoKind) {
  const folder = await temporaryFolder()
  const sourcePath = join(folder, 'source')
  await writeFile(sourcePath, bytes)
  return { sourcePath, kind, stillPath: join(folder, 'still'), now: Date.now(), signal: new AbortController().signal }
}

const playlist = (place: string) =>
  Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n${place}\n#EXT-X-ENDLIST\n`)

describe('opens no other file', () => {
  test('although ffmpeg without limits would', async () => {
    const { url, connections } = await createDecoy(await clip('film.mp4'))
    const { sourcePath } = await taskOf(playlist(url), 'mp4')
    const isLoose = ['-protocol_whitelist', 'file,http,tcp', '-allowed_extensions', 'ALL']
    await promisify(execFile)(ffmpeg.path, [...isLoose, '-i', sourcePath, '-f', 'null', '-'])
    expect(connections()).toBe(1)
  })

  test.each<VideoKind>(['mp4', 'm4v', 'mov', 'webm', 'avi'])('for a list that looks like %s', async (kind) => {
    const film = await clip('film.mp4')
    const { url, path, connections } = await createDecoy(film)
    for (const list of [playlist(url), playlist(path), Buffer.from(`ffconcat version 1.0\nfile '${path}'\n`)]) {
      await expect(stillsForTest().capture(await taskOf(list, kind))).rejects.toThrow(UnreadableVideo)
    }
    expect(connections()).toBe(0)
  })

  test('for a movie that references its media', async () => {
    const { url, path, connections } = await createDecoy(await clip('film.mov'))
    for (const entry of [reference('url ', url), reference('alis', path)]) {
      const movie = withReference(await clip('film.mov', { size: '96x48' }), entry)
      const facts = await stillsForTest().capture(await taskOf(movie, 'mov'))
      // The still is a picture of the movie itself; the referenced pictures have another size.
      expect(facts).toMatchObject({ width: 96, height: 48 })
    }
    expect(connections()).toBe(0)
  })
})

test('rejects an empty file and an aborted task', async () => {
  const stills = stillsForTest()
  await expect(stills.capture(await taskOf(Buffer.alloc(0), 'mp4'))).rejects.toThrow(UnreadableVideo)
  const task = await taskOf(await clip('film.mp4'), 'mp4')
  await expect(stills.capture({ ...task, signal: AbortSignal.abort() })).rejects.toThrow(StillCanceled)
  stills.close()
  await expect(stills.capture(task)).rejects.toThrow(StillCanceled)
})
