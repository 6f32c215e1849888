/** Measures uploads in chunks, compared with a bare node:http server that writes and syncs the same chunks. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ChunkedRun,
  type ChunkedTarget,
  type CompletedRun,
  completeAtService,
  type LargeFile,
  sendToLimit,
  sendToService,
} from './support/chunked-runs.ts'
import { type Figure, formatValue, printTable, type Target } from './support/figures.ts'
import { makeApiToken, makeGallery, sendJson, signIn } from './support/gallery.ts'
import { type Generator, startGenerator } from './support/load-generator.ts'
import { measurePairs, medians, type Pair, ratios } from './support/pairs.ts'
import { makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { readTree, waitUntilQuiet } from './support/process-tree.ts'
import { startLimit, startService } from './support/server-process.ts'

type Level = { connections: number; pairs: Pair<ChunkedRun>[] }
type Completed = { small: CompletedRun; large: CompletedRun }

const mebibyte = 2 ** 20
const atMost = (value: number): Target => ({ bound: 'at most', value })
const bytesPerSecond = (run: ChunkedRun) => run.bytesPerSecond
const writtenPerSent = (run: ChunkedRun) => run.writtenPerSent

export async function measureChunked(plan: Plan): Promise<Figure[]> {
  const [headFile = ''] = await makePictures(plan.workspace, { width: 600, height: 400 }, 1)
  const sender = startGenerator()
  const levels: Level[] = []
  for (const connections of bySize(plan, { full: [1, 4], quick: [1, 4], smallest: [4] })) {
    const file = { headFile, fileBytes: bySize(plan, { full: 1024, quick: 256, smallest: 16 }) * mebibyte, connections }
    levels.push({ connections, pairs: await measureChunks(plan, sender, file) })
  }
  printChunks(levels)
  const completed: Completed[] = []
  while (completed.length < bySize(plan, { full: 3, quick: 1, smallest: 1 }))
    completed.push(await measureComplete(plan, sender, headFile))
  printCompleted(completed, plan)
  return [...levels.flatMap(chunkFigures), ...completeFigures(completed)]
}

async function measureChunks(plan: Plan, sender: Generator, file: LargeFile): Promise<Pair<ChunkedRun>[]> {
  const folder = join(plan.workspace, 'chunked')
  const limit = await startLimit('chunked', [join(folder, 'limit')])
  const target = await startTarget(join(folder, 'service'))
  const pairs = await measurePairs(
    plan.pairs,
    () => sendToLimit(sender, limit, file),
    () => sendToService(sender, target, file),
  )
  await Promise.all([limit.stop(), target.server.stop()])
  await rm(folder, { recursive: true })
  return pairs
}

/**
 * Each round uses a new service, so that at most one large file is stored. The file of 1 MiB only starts the image
 * workers.
 */
async function measureComplete(plan: Plan, sender: Generator, headFile: string): Promise<Completed> {
  const folder = join(plan.workspace, 'completed')
  const target = await startTarget(folder)
  const complete = (fileBytes: number) => completeAtService(sender, target, { headFile, fileBytes, connections: 4 })
  await complete(mebibyte)
  const small = await complete(smallBytes(plan))
  const large = await complete(largeBytes(plan))
  await target.server.stop()
  await rm(folder, { recursive: true })
  return { small, large }
}

const smallBytes = (plan: Plan): number => bySize(plan, { full: 100, quick: 100, smallest: 11 }) * mebibyte
const largeBytes = (plan: Plan): number => bySize(plan, { full: 4096, quick: 1024, smallest: 22 }) * mebibyte

async function startTarget(dataDir: string): Promise<ChunkedTarget> {
  const server = await startService(dataDir)
  const token = await signIn(server.port)
  await sendJson(server.port, 'PUT', '/api/admin/settings', { general_max_file_size_mb: 10_000 }, token)
  const { id } = await makeGallery(server.port, await makeApiToken(server.port))
  await waitUntilQuiet(server.pid)
  return { server, eventId: id, token, restingBytes: readTree(server.pid).residentBytes }
}

function printChunks(levels: readonly Level[]): void {
  const rows = [['chunks', '', 'rate', 'written/sent', 'memory grew']]
  for (const { connections, pairs } of levels) {
    const rate = medians(pairs, bytesPerSecond)
    const bytes = medians(pairs, writtenPerSent)
    for (const side of ['limit', 'service'] as const) {
      rows.push([
        `${connections} at a time`,
        side,
        `${(rate[side] / 1e6).toFixed(0)} MB/s`,
        bytes[side].toFixed(3),
        `${Math.max(...pairs.map((pair) => pair[side].growthMb)).toFixed(0)} MB`,
      ])
    }
  }
  printTable(rows)
}

function printCompleted(completed: readonly Completed[], plan: Plan): void {
  const ms = (run: CompletedRun) => formatValue(run.completeMs, 'ms')
  printTable([
    [
      'complete, no fsync left',
      `${smallBytes(plan) / mebibyte} MiB`,
      `${largeBytes(plan) / mebibyte} MiB`,
      'written/sent',
      'memory grew',
    ],
    ...completed.map(({ small, large }, index) => [
      `round ${index + 1}`,
      ms(small),
      ms(large),
      large.writtenPerSent.toFixed(3),
      `${large.growthMb.toFixed(0)} MB`,
    ]),
  ])
}

function chunkFigures({ connections, pairs }: Level): Figure[] {
  const services = pairs.map(({ service }) => service)
  return [
    {
      name: `chunked: bytes per second, ${connections} at a time`,
      unit: 'x',
      samples: ratios(pairs, bytesPerSecond),
      target: { bound: 'at least', value: 0.7 },
    },
    {
      name: `chunked: bytes written per byte sent, ${connections} at a time`,
      unit: 'x',
      samples: services.map(writtenPerSent),
      target: atMost(1.02),
    },
    {
      name: `chunked: growth of resident memory since the start, the most, ${connections} at a time`,
      unit: 'MB',
      samples: [Math.max(...services.map(({ growthMb }) => growthMb))],
      target: atMost(64),
    },
  ]
}

function completeFigures(completed: readonly Completed[]): Figure[] {
  const large = completed.map((round) => round.large)
  const name = (what: string) => `chunked: ${what}`
  return [
    {
      name: name('complete of the large file, longer than of the small one by'),
      unit: 'ms',
      samples: completed.map((round) => round.large.completeMs - round.small.completeMs),
      target: atMost(100),
    },
    {
      name: name('bytes written per byte of the large file, complete included'),
      unit: 'x',
      samples: large.map(writtenPerSent),
      target: atMost(1.02),
    },
    {
      name: name('growth of resident memory over the large file, the most'),
      unit: 'MB',
      samples: [Math.max(...large.map(({ growthMb }) => growthMb))],
      target: atMost(64),
    },
  ]
}
