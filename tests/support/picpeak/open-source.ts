import { openPicPeak, type PicPeakSource } from '../../../server/picpeak/picpeak-source.ts'
import { readConfig } from '../../../server/platform/configuration/config.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { diskStorageForTest } from '../storage/test-storage.ts'

/** Opens an installation as the command does. `environment` has the variables of its bucket. */
export async function openSource(
  source: string,
  storage?: string,
  environment: Record<string, string> = {},
  externalMedia?: string,
): Promise<PicPeakSource> {
  const { picpeakStore: store } = readConfig(environment)
  return openPicPeak(
    { source, storage, externalMedia },
    { store, staging: diskStorageForTest(await temporaryFolder()) },
  )
}
