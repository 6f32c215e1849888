import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { receiveFirstPhoto } from '../../../tests/support/fixtures/first-photo.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'
import { listStoredFiles } from '../../../tests/support/storage/stored-files.ts'
import { changeEvent } from '../../events/change-event.ts'
import { minutes } from '../../platform/time/clock.ts'
import { createStaleProfiles } from './drop-stale-profiles.ts'
import { guestProfile } from './guest-profile.ts'
import { plainProfile } from './rendition-rows.ts'
import { createRenditions } from './renditions.ts'

test('deletes only renditions of stale profiles, one hour later, with file and row', async () => {
  const clock = createMovableClock()
  const ctx = await contextForTest({ edges: { clock } })
  const { event, photo } = await receiveFirstPhoto(ctx)
  const renditions = createRenditions(ctx)
  const staleProfiles = createStaleProfiles(ctx)
  const names = async () =>
    (await ctx.db.selectFrom('photo_renditions').select('filename').execute()).map((one) => one.filename)
  const files = async () =>
    (await listStoredFiles(ctx.config)).filter((name) => name.includes('/renditions/')).map((name) => basename(name))
  const make = async (text: string | null) => {
    const changed = await changeEvent(ctx, event.id, { watermark_downloads: text !== null, watermark_text: text })
    const profile = guestProfile(changed, await ctx.settings.values())
    return (await renditions.get(photo, { profile, bound_px: 640, format: 'webp' })).filename
  }

  const plain = (await renditions.get(photo, { profile: plainProfile, bound_px: 640, format: 'webp' })).filename
  const old = await make('old')
  await staleProfiles.drop()
  clock.advance(minutes(90))
  await staleProfiles.drop()
  expect(await names()).toContain(old)

  const present = await make('new')
  await staleProfiles.drop()
  clock.advance(minutes(50))
  await staleProfiles.drop()
  expect(await names()).toContain(old)
  clock.advance(minutes(11))
  await staleProfiles.drop()
  expect((await names()).sort()).toEqual([plain, present].sort())
  expect((await files()).sort()).toEqual([plain, present].sort())
})
