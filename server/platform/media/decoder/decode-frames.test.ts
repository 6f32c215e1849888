import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toCodecConfig } from './codec-config.ts'
import { decodeFrames } from './decode-frames.ts'

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

const hevc = { codec: 'hevc', width: 64, height: 64, extradata: null, bits: 8 } as const

test('on a platform without a decoder, decodeFrames says so', async () => {
  const platform = process.platform
  Object.defineProperty(process, 'platform', { value: 'aix' })
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }))
  vi.resetModules()
  const elsewhere = await import('./decode-frames.ts')
  await expect(collect(elsewhere.decodeFrames(hevc, []))).rejects.toThrow(elsewhere.DecoderMissing)
})

test('garbage ends with the error of the decoder, and no chunk with one too', async () => {
  const garbage = [{ data: await readFile(new URL(import.meta.url)), isKey: true }]
  await expect(collect(decodeFrames(hevc, garbage))).rejects.toThrow(/Decode error|No frame/)
  await expect(collect(decodeFrames(hevc, []))).rejects.toThrow('No frame was decoded')
})

test.each([
  ['vp09.02.10.10', 10],
  ['vp09.00.10.08', 8],
])('the depth of %s is %i bits', (parameters, bits) => {
  expect(toCodecConfig({ name: 'vp9', parameters, width: 2, height: 2, description: null })?.bits).toBe(bits)
})

test('the depth of H.264 and HEVC is in their configuration', () => {
  const bitsOf = (name: string, description: number[]) =>
    toCodecConfig({ name, parameters: '', width: 2, height: 2, description: Uint8Array.from(description) })?.bits
  const sets = [0xe1, 0, 2, 0x67, 1, 1, 0, 1, 0x68]
  expect(bitsOf('avc', [1, 100, 0, 30, 0xff, ...sets])).toBe(8)
  expect(bitsOf('avc', [1, 110, 0, 30, 0xff, ...sets])).toBe(10)
  expect(bitsOf('avc', [1, 122, 0, 30, 0xff, ...sets, 0xfe, 0xf8, 0xf8, 0])).toBe(8)
  expect(bitsOf('hevc', [...Array(17).fill(0), 0xfa])).toBe(10)
  expect(toCodecConfig({ name: 'prores', parameters: 'apch', width: 2, height: 2, description: null })).toBeNull()
})
