/** The process of the load generator: runs jobs from its parent and sends back their outcomes. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunkedFile } from './chunked-file.ts'
import { type Connection, openConnections } from './connection.ts'
import type { ChunksJob, FloodJob, Job, Outcome, PacedJob, UploadJob } from './load-jobs.ts'
import { readPicture } from './upload-body.ts'

type Tally = { answers: number; bytesSent: number; timesMs: number[] }
type Step = (connection: Connection) => Promise<boolean>

const runningJobs = new Map<number, AbortController>()

process.on('message', async ({ id, job }: { id: number; job?: Job }) => {
  if (!job) return runningJobs.get(id)?.abort()
  const finish = new AbortController()
  runningJobs.set(id, finish)
  const outcome = await run(job, finish)
  runningJobs.delete(id)
  process.send?.({ id, outcome })
})
process.on('disconnect', () => process.exit())

async function run(job: Job, finish: AbortController): Promise<Outcome> {
  const tally: Tally = { answers: 0, bytesSent: 0, timesMs: [] }
  const step = await createStep(job, tally)
  const connections = await openConnections(job.port, job.connections)
  const seconds = 'seconds' in job ? job.seconds : undefined
  const timer = seconds === undefined ? undefined : setTimeout(() => finish.abort(), seconds * 1000)
  const begin = performance.now()
  const cpu = process.cpuUsage()
  await Promise.all(connections.map((connection) => repeat(step, connection, finish.signal)))
  const elapsed = (performance.now() - begin) / 1000
  const { user, system } = process.cpuUsage(cpu)
  clearTimeout(timer)
  for (const connection of connections) connection.close()
  return { ...tally, seconds: elapsed, ownCpuShare: (user + system) / 1e6 / elapsed }
}

async function repeat(step: Step, connection: Connection, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await step(connection)));
}

/** Each connection repeats the step until the step returns false or the job is aborted. */
function createStep(job: Job, tally: Tally): Promise<Step> | Step {
  if (job.kind === 'flood') return floodStep(job, tally)
  if (job.kind === 'paced') return pacedStep(job, tally)
  return job.kind === 'chunks' ? chunksStep(job, tally) : uploadStep(job, tally)
}

function floodStep(job: FloodJob, tally: Tally): Step {
  const request = Buffer.from(job.request, 'latin1')
  return async (connection) => {
    expectStatus(await connection.sendRequest(request), job.status)
    tally.answers++
    return true
  }
}

/**
 * A late request is timed from the moment when it was due, so that a stall affects all requests that are due during the
 * stall. Any other request is timed from its sending, because timers are imprecise.
 */
function pacedStep(job: PacedJob, tally: Tally): Step {
  let begin = 0
  let next = 0
  return async (connection) => {
    begin ||= performance.now()
    const index = next++
    const request = job.requests[job.repeats ? index % job.requests.length : index]
    if (request === undefined) return false
    const due = begin + (index * 1000) / job.perSecond
    const early = due - performance.now()
    if (early > 0) await sleep(early)
    const from = early > 0 ? performance.now() : due
    expectStatus(await connection.sendRequest(request), job.status)
    tally.timesMs.push(performance.now() - from)
    tally.answers++
    return true
  }
}

async function uploadStep(job: UploadJob, tally: Tally): Promise<Step> {
  const pictures = await Promise.all(job.files.map(async (path) => readPicture(await readFile(path))))
  const head = `POST ${job.path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nAuthorization: Bearer ${job.token}\r\n`
  let next = 0
  return async (connection) => {
    const index = next++
    const picture = pictures[index % pictures.length]
    if (!picture || index >= (job.count ?? Number.POSITIVE_INFINITY)) return false
    const { contentType, parts, sizeBytes } = picture.createBody(index)
    const requestHead = `${head}Content-Type: ${contentType}\r\nContent-Length: ${sizeBytes}\r\n\r\n`
    const from = performance.now()
    expectStatus(await connection.sendRequest(requestHead, ...parts), 201)
    tally.timesMs.push(performance.now() - from)
    tally.bytesSent += sizeBytes
    tally.answers++
    return true
  }
}

async function chunksStep(job: ChunksJob, tally: Tally): Promise<Step> {
  const file = chunkedFile(await readFile(job.headFile), job.fileBytes)
  const head = `Host: 127.0.0.1:${job.port}\r\nAuthorization: Bearer ${job.token}\r\nContent-Type: application/octet-stream\r\n`
  let next = 0
  return async (connection) => {
    const index = next++
    if (index >= file.chunks) return false
    const { parts, sizeBytes } = file.chunkAt(index)
    const requestHead = `POST ${job.path}${index} HTTP/1.1\r\n${head}Content-Length: ${sizeBytes}\r\n\r\n`
    const from = performance.now()
    expectStatus(await connection.sendRequest(requestHead, ...parts), 200)
    tally.timesMs.push(performance.now() - from)
    tally.bytesSent += sizeBytes
    tally.answers++
    return true
  }
}

function expectStatus(status: number, expected: number): void {
  if (status !== expected) throw new Error(`the server answered ${status} and not ${expected}`)
}
