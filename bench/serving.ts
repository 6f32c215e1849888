/** Measures thumbnails for guests, 200 and 304, compared with a bare node:http server that sends them from memory. */
import { writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { type Figure, formatTarget, formatValue, printTable, type Target } from './support/figures.ts'
import { addPhotos, enterGallery, imagePath, makeApiToken, makeGallery } from './support/gallery.ts'
import { startGenerator } from './support/load-generator.ts'
import { getRequest, type Outcome } from './support/load-jobs.ts'
import { separateCores } from './support/machine.ts'
import { measurePairs, medians, type Pair, ratios } from './support/pairs.ts'
import { makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { type Server, startLimit, startService } from './support/server-process.ts'
import { median } from './support/statistics.ts'

type Answer = { status: number; rawHeaders: string[]; etag: string; body: Buffer }
type ServingCase = { name: string; limit: Server; status: number; headers: Record<string, string>; target: Target }
type Result = { figure: Figure; rates: Pair<number>; generatorCpuShare: Pair<number> }

const connectionCounts = { full: [1, 16, 64], quick: [1, 16, 64], smallest: [16] }
const targetedConnections = 16
const addedByNode = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

export async function measureServing(plan: Plan): Promise<Figure[]> {
  const cores = separateCores()
  const service = await startService(join(plan.workspace, 'serving'), { core: cores.server })
  const generator = startGenerator(cores.generator)
  const { path, token } = await preparePhoto(plan, service.port)
  const whole = await sendRequest(service.port, path, token)
  const unchanged = await sendRequest(service.port, path, token, whole.etag)
  const limits = await startLimits(plan, whole, unchanged, cores.server)
  const cases: ServingCase[] = [
    { name: 'thumbnail 200', limit: limits.thumbnails, status: 200, headers: {}, target: atLeast(0.4, 0.6) },
    {
      name: 'thumbnail 304',
      limit: limits.notModified,
      status: 304,
      headers: { 'If-None-Match': whole.etag },
      target: atLeast(0.3, 0.5),
    },
  ]
  const pinned = cores.server === undefined ? 'cores shared' : 'server and generator on a core each'
  console.log(`  ${whole.body.length} bytes, ${pinned}`)

  const results: Result[] = []
  const seconds = bySize(plan, { full: 2, quick: 0.5, smallest: 0.1 })
  for (const { name, limit, status, headers, target } of cases) {
    for (const connections of bySize(plan, connectionCounts)) {
      const flood = ({ port }: Server) => {
        const request = getRequest(port, path, { Authorization: `Bearer ${token}`, ...headers })
        return generator.run({ kind: 'flood', port, request, connections, status, seconds })
      }
      const pairs = await measurePairs(
        plan.pairs,
        () => flood(limit),
        () => flood(service),
      )
      const targetOption = connections === targetedConnections ? { target } : {}
      results.push(createResult(`serving: ${name}, ${connections} at once`, pairs, targetOption))
    }
  }
  printResults(results)
  return results.map(({ figure }) => figure)
}

function createResult(name: string, pairs: readonly Pair<Outcome>[], targetOption: Pick<Figure, 'target'>): Result {
  return {
    figure: { name, unit: 'x', samples: ratios(pairs, responsesPerSecond), ...targetOption },
    rates: medians(pairs, responsesPerSecond),
    generatorCpuShare: medians(pairs, ({ ownCpuShare }) => ownCpuShare),
  }
}

function printResults(results: readonly Result[]): void {
  const rows = [['answers per second', 'limit', 'service', 'ratio', 'target', 'generator busy']]
  for (const { figure, rates, generatorCpuShare } of results) {
    rows.push([
      figure.name,
      rates.limit.toFixed(0),
      rates.service.toFixed(0),
      formatValue(median(figure.samples), 'x'),
      formatTarget(figure.target, 'x'),
      `${(generatorCpuShare.limit * 100).toFixed(0)} % / ${(generatorCpuShare.service * 100).toFixed(0)} %`,
    ])
  }
  printTable(rows)
}

function responsesPerSecond({ answers, seconds }: Outcome): number {
  return answers / seconds
}

function atLeast(value: number, wanted: number): Target {
  return { bound: 'at least', value, wanted }
}

async function preparePhoto(plan: Plan, port: number): Promise<{ path: string; token: string }> {
  const gallery = await makeGallery(port, await makeApiToken(port))
  const [id = 0] = await addPhotos(port, gallery, await makePictures(plan.workspace, { width: 2400, height: 1600 }, 1))
  return { path: imagePath(gallery, 'thumbnail', id), token: await enterGallery(port, gallery) }
}

async function startLimits(plan: Plan, whole: Answer, unchanged: Answer, core: number | undefined) {
  if (whole.status !== 200 || unchanged.status !== 304) {
    throw new Error(`the thumbnail answers ${whole.status}, and ${unchanged.status} on If-None-Match`)
  }
  const file = join(plan.workspace, 'thumbnail.jpg')
  await writeFile(file, whole.body)
  return {
    thumbnails: await startLimit('thumbnails', [ownHeaders(whole), file], { core }),
    notModified: await startLimit('not-modified', [ownHeaders(unchanged)], { core }),
  }
}

/** Returns the headers as a JSON list [name, value, …], without those that Node also adds in the minimal server. */
function ownHeaders({ rawHeaders }: Answer): string {
  const names = rawHeaders.map((_, index) => (rawHeaders[index - (index % 2)] ?? '').toLowerCase())
  return JSON.stringify(rawHeaders.filter((_, index) => !addedByNode.has(names[index] ?? '')))
}

function sendRequest(port: number, path: string, token: string, etag?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...(etag === undefined ? {} : { 'if-none-match': etag }) }
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, async (response) => {
      const { statusCode = 0, rawHeaders } = response
      const body = Buffer.concat(await response.toArray())
      resolve({ status: statusCode, rawHeaders, etag: response.headers.etag ?? '', body })
    }).on('error', reject)
  })
}
