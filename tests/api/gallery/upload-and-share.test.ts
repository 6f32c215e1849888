import { describe, test } from 'vitest'
import { runMainUseCase } from '../../support/fixtures/main-use-case.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()

describe('the main workflow', () => {
  test('a guest with the share link sees and downloads a photo uploaded by token', () => runMainUseCase(service))
})
