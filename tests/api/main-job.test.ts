import { describe, test } from 'vitest'
import { doMainJob } from '../support/main-job.ts'
import { sharedService } from '../support/test-service.ts'

const service = await sharedService()

describe('the main job', () => {
  test('a photo uploaded by token is seen and downloaded by a guest with the share link', () => doMainJob(service))
})
