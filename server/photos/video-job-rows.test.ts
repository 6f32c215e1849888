import { expect, test } from 'vitest'
import { receiveFirstPhoto } from '../../tests/support/first-photo.ts'
import { houseForTest } from '../../tests/support/test-house.ts'
import { movableClock } from '../../tests/support/test-service.ts'
import {
  claimVideo,
  dropVideoJob,
  leaseMs,
  putBackVideo,
  queueVideo,
  renewClaim,
  type VideoJob,
} from './video-job-rows.ts'

async function houseWithJob() {
  const clock = movableClock()
  const house = await houseForTest({ edges: { clock } })
  const { photo } = await receiveFirstPhoto(house)
  const queue = (content_hash: string) =>
    house.db.transaction().execute((tx) => queueVideo(tx, { id: photo.id, content_hash }))
  await queue('first')
  const claim = async () => {
    const claimed = await claimVideo(house)
    if (claimed === null || typeof claimed === 'number') throw new Error('There is nothing to claim')
    return claimed
  }
  return { house, clock, photo, queue, claim }
}

const attemptsOf = ({ attempts }: VideoJob) => attempts

test('of two processes one gets the job, the other is told when to look again', async () => {
  const { house } = await houseWithJob()
  const claims = await Promise.all([claimVideo(house), claimVideo(house)])
  expect(claims.filter((claim) => typeof claim === 'object')).toHaveLength(1)
  const [later] = claims.filter((claim) => typeof claim === 'number')
  expect(later).toBeGreaterThan(0)
  expect(later).toBeLessThanOrEqual(leaseMs)
})

test('a process that has ended is missed after its lease, one that renews it is not', async () => {
  const { house, clock, claim } = await houseWithJob()
  const first = await claim()
  clock.advance(leaseMs - 1000)
  const renewed = await renewClaim(house, first)
  clock.advance(2000)
  expect(await claimVideo(house)).toBeTypeOf('number')
  clock.advance(leaseMs)
  expect(attemptsOf(await claim())).toBe(2)
  expect(renewed && (await renewClaim(house, renewed))).toBeNull()
})

test('a job given back is due when it is said to be, and counts or not', async () => {
  const { house, clock, claim } = await houseWithJob()
  await putBackVideo(house, await claim(), { afterMs: 0, isUncounted: true })
  const again = await claim()
  expect(attemptsOf(again)).toBe(1)
  await putBackVideo(house, again, { afterMs: 60_000, isUncounted: false })
  clock.advance(59_000)
  expect(await claimVideo(house)).toBeTypeOf('number')
  clock.advance(1000)
  expect(attemptsOf(await claim())).toBe(2)
})

test('a replace begins anew, and ends the claim on the former file', async () => {
  const { house, claim, queue } = await houseWithJob()
  const former = await claim()
  await queue('second')
  expect(await renewClaim(house, former)).toBeNull()
  await dropVideoJob(house.db, former)
  expect(await claim()).toMatchObject({ content_hash: 'second', attempts: 1 })
})

test('a deleted photo takes its job along', async () => {
  const { house, photo } = await houseWithJob()
  await house.db.deleteFrom('photos').where('id', '=', photo.id).execute()
  expect(await claimVideo(house)).toBeNull()
})
