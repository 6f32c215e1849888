import { describe, expect, test } from 'vitest'
import { readFrames, readProgress, readVideoReport } from './video-report.ts'

const now = Date.parse('2026-01-01')
const metadata = (...lines: string[]) => readVideoReport(lines.map((line) => `${line}\n`).join(''), now)

describe('the duration', () => {
  test.each([
    ['  Duration: 00:00:05.31, start: 0.000000, bitrate: 97 kb/s', 5.31],
    ['  Duration: 10:01:00.00, start: 0.000000, bitrate: 97 kb/s', 36_060],
    ['  Duration: N/A, start: 0.000000, bitrate: N/A', null],
    ['  Duration: 00:00:00.00, start: 0.000000, bitrate: 0 kb/s', null],
    ['  Duration: 999:59:59.00, bitrate: 0 kb/s', null],
    ['    title           : Duration: 00:00:05.31, start: 0', null],
  ])('of %j is %j', (line, duration) => {
    expect(metadata('Input #0, mov', line).duration).toBe(duration)
  })
})

describe('the time of recording', () => {
  const creation = (time: string) => `    creation_time   : ${time}`
  test.each([
    ['2021-04-10T10:44:00.000000Z', '2021-04-10T10:44:00.000Z'],
    ['2021-04-10 10:44:00', '2021-04-10T10:44:00.000Z'],
    ['1904-01-01T00:00:00.000000Z', null],
    ['1970-01-01T00:00:00.000000Z', null],
    ['2026-01-03T00:00:00.000000Z', null],
    ['2021-99-99T10:44:00Z', null],
    ['yesterday at noon', null],
  ])('%j is %j', (written, time) => {
    const { capturedAt } = metadata(creation(written))
    expect(capturedAt && new Date(capturedAt).toISOString()).toBe(time)
  })

  test('is that of the phone, with its offset, when both exist', () => {
    const own = '    com.apple.quicktime.creationdate: 2021-04-10T11:43:59+0130'
    expect(metadata(creation('2022-02-02T00:00:00.000000Z'), own).capturedAt).toBe(Date.parse('2021-04-10T10:13:59Z'))
  })
})

const frame = (number: number, rest: string) =>
  `[Parsed_showinfo_0 @ 0x1] n:${String(number).padStart(4)} pts:  15360 pts_time:1 pos: 1 fmt:yuv420p ${rest} i:P iskey:0`

test.each([
  [[frame(0, 'sar:1/1 s:320x240')], { count: 1, width: 320, height: 240 }],
  [[frame(0, 'sar:0/1 s:320x240'), frame(1, 'cl:left sar:0/1 s:320x240')], { count: 2, width: 320, height: 240 }],
  [[frame(7, 'sar:4/3 s:1440x1080')], { count: 8, width: 1920, height: 1080 }],
  [[frame(0, 'sar:60000/1 s:320x240')], null],
  [['Output file is empty, nothing was encoded'], null],
])('the frames of %j are %j', (lines, frames) => {
  expect(readFrames(lines.join('\n'))).toEqual(frames)
})

test('the position of a run is the last that it reported', () => {
  expect(readProgress('frame=1 time=00:00:01.00 bitrate=N/A\rframe=9 time=00:01:02.50 bitrate=N/A')).toBe(62.5)
  expect(readProgress('frame=1 time=N/A bitrate=N/A')).toBeNull()
})
