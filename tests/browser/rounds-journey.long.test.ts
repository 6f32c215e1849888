import { test } from 'vitest'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { agreeOnAlbum } from '../support/browser/rounds-journey.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const browsers = await chromiumForFile()

test('a client on a phone and a photographer on a laptop agree on an album in two rounds', () =>
  agreeOnAlbum(browsers, service, [service]))
