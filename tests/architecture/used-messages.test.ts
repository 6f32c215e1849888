import { expect, test } from 'vitest'
import { reviewStates } from '../../contract/gallery/decisions.ts'
import { colorLabels } from '../../contract/marks.ts'
import { matchProblems } from '../../server/exports/match-sidecars.ts'
import { xmpRejections } from '../../server/platform/xmp/rejected-xmp.ts'
import { readText, sourceFiles } from './source-files.ts'

const readCode = (...folders: string[]): string => folders.flatMap(sourceFiles).map(readText).join('\n')
const listKeys = (module: string): string[] => Object.keys(JSON.parse(readText(`locales/en/${module}.json`)))

test('every message outside the admin app is used', () => {
  const all = readCode('web', 'server', 'contract', 'locales')
  const isInPages = (key: string) => new RegExp(`['"\`]${key}['"\`]|\\.${key}\\b`).test(all)
  // The code composes these keys.
  const ofPages = /^(red|yellow|green|blue|purple)Short$/
  expect(listKeys('gallery').filter((key) => !ofPages.test(key) && !isInPages(key))).toEqual([])

  const health = readCode('server/health')
  const ofHealth = /^((folder|bucket)(Broken|Unreadable)|(storageBroken|storeRefuses|storeAway)Fix)$/
  expect(listKeys('health').filter((key) => !ofHealth.test(key) && !health.includes(`'${key}'`))).toEqual([])

  const pages = readCode('server/people')
  expect(listKeys('invite').filter((key) => !pages.includes(`'${key}'`))).toEqual([])

  const mails = readCode('server/events', 'server/feedback/notices', 'server/people', 'locales')
  const names = (key: string) => new RegExp(`'${key.replace(/(Done)?_(subject|text|title|button)$/, '')}'`)
  expect(listKeys('mails').filter((key) => !names(key).test(mails) && !key.startsWith('test_'))).toEqual([])

  const receipts = readCode('server/selections/receipts', 'locales')
  const ofReceipts = /^(red|yellow|green|blue|purple|kind_.*)$/
  expect(listKeys('receipts').filter((key) => !ofReceipts.test(key) && !receipts.includes(`'${key}'`))).toEqual([])

  const commands = readCode('server/commands', 'server/picpeak')
  const ofCommands = /^(color|severity)_|^otherService(OnDatabase)?Fix$/
  const isInCommands = (key: string) => commands.includes(`'${key}'`) || ofCommands.test(key)
  expect(listKeys('commands').filter((key) => !isInCommands(key))).toEqual([])

  const exports = readCode('server/exports', 'server/feedback')
  const problems = [...matchProblems, ...xmpRejections].map((problem) => `notMerged_${problem}`)
  const decided = reviewStates.map((state) => `decision_${state}`)
  const ofExports: string[] = [...colorLabels, ...problems, ...decided]
  const ofThreads = /^(kind|place|state)_/
  const isInExports = (key: string) => ofExports.includes(key) || ofThreads.test(key) || exports.includes(`'${key}'`)
  expect(listKeys('exports').filter((key) => !isInExports(key))).toEqual([])
})
