import { expect, test } from 'vitest'
import { must } from '../../../contract/must.ts'
import { receiveFirstPhoto } from '../../../tests/support/fixtures/first-photo.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'
import {
  claimVideo,
  dropVideoJob,
  leaseMs,
  queueVideo,
  releaseVideo,
  renewClaim,
  type VideoJob,
} from './video-job-rows.ts'

async function contextWithJob() {
  const clock = createMovableClock()
  const ctx = await contextForTest({ edges: { clock } })
  const { photo } = await receiveFirstPhoto(ctx)
  const queue = (content_hash: string) =>
    ctx.db.transaction().execute((tx) => queueVideo(tx, { id: photo.id, content_hash }))
  await queue('first')
  const claim = async () => {
    const claimed = await claimVideo(ctx)
    if (claimed === null || typeof claimed === 'number') throw new Error('There is nothing to claim')
    return claimed
  }
  return { ctx, clock, photo, queue, claim }
}

const attemptsOf = ({ attempts }: VideoJob) => attempts

test('of two processes one gets the job, which is free after its lease unless the process renews it', async () => {
  const { ctx, clock, claim } = await contextWithJob()
  const claims = await Promise.all([claimVideo(ctx), claimVideo(ctx)])
  const [first, ...none] = claims.filter((claim) => claim !== null && typeof claim === 'object')
  const [nextCheckMs] = claims.filter((claim) => typeof claim === 'number')
  expect([none.length, nextCheckMs]).toEqual([0, expect.toSatisfy((ms) => ms > 0 && ms <= leaseMs)])
  clock.advance(leaseMs - 1000)
  const renewed = await renewClaim(ctx, must(first, 'a claim'))
  clock.advance(2000)
  expect(await claimVideo(ctx)).toBeTypeOf('number')
  clock.advance(leaseMs)
  expect(attemptsOf(await claim())).toBe(2)
  expect(renewed && (await renewClaim(ctx, renewed))).toBeNull()
})

test('a released job is due after its delay and can leave the attempt uncounted', async () => {
  const { ctx, clock, claim } = await contextWithJob()
  await releaseVideo(ctx, await claim(), { delayMs: 0, isUncounted: true })
  const again = await claim()
  expect(attemptsOf(again)).toBe(1)
  await releaseVideo(ctx, again, { delayMs: 60_000, isUncounted: false })
  clock.advance(59_000)
  expect(await claimVideo(ctx)).toBeTypeOf('number')
  clock.advance(1000)
  expect(attemptsOf(await claim())).toBe(2)
})

test('a replace creates a new job and ends the claim on the previous file; deleting a photo deletes its job', async () => {
  const { ctx, photo, claim, queue } = await contextWithJob()
  const previous = await claim()
  await queue('second')
  expect(await renewClaim(ctx, previous)).toBeNull()
  await dropVideoJob(ctx.db, previous)
  expect(await claim()).toMatchObject({ content_hash: 'second', attempts: 1 })
  await ctx.db.deleteFrom('photos').where('id', '=', photo.id).execute()
  expect(await claimVideo(ctx)).toBeNull()
})
