import { once } from 'node:events'
import {
  beginFirstLook,
  createDemoEvent,
  demoPhotoCount,
  nameDemoStudio,
  startDemo,
  uploadDemoPhotos,
} from './demo-event.ts'

// `npm run demo`: runs Proofroom with a sample wedding until Ctrl-C, then removes all data.
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())

const demo = await startDemo()
try {
  await nameDemoStudio(demo)
  const event = await createDemoEvent(demo)
  await beginFirstLook(demo, event)
  await uploadDemoPhotos(demo, event, { onProgress: showProgress, signal: stopping.signal })
  console.log(`
  Gallery   ${event.share_url}
  Admin     ${demo.url}/admin  ${demo.username} / ${demo.password}
  API       ${demo.url}/api/docs

  Ctrl-C stops the demo and removes its photos.
`)
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
} catch (error) {
  if (!stopping.signal.aborted) throw error
} finally {
  await demo.stop()
}

function showProgress(done: number): void {
  const line = `Creating sample photos … ${done} of ${demoPhotoCount}`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${done === demoPhotoCount ? '\n' : ''}`)
  else if (done === demoPhotoCount) console.log(line)
}
