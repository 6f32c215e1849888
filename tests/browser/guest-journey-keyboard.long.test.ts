import { test } from 'vitest'
import { runGuestJourney } from '../support/browser/guest-journey.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { byKeyboard } from '../support/browser/input-methods.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const guests = await chromiumForFile()

test('a guest on a desktop, by keyboard, enters, picks, comments, submits and downloads photos', async () => {
  await runGuestJourney(service, guests, {
    device: 'desktop',
    hand: byKeyboard,
    giveFourStars: (page) => page.keyboard.press('4'),
  })
})
