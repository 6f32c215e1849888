import { useMutation, useQueryClient } from '@tanstack/react-query'
import { heicFileTypes, rawFileTypes, splitFileTypes } from '../../../contract/files/file-types.ts'
import { getExtension } from '../../shared/uploads/upload-file-rules.ts'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { settingsQuery } from '../app/query-client.ts'
import { Button } from '../components/button.tsx'
import { showNotice } from '../components/notices.tsx'
import { sendLeftOut } from './uploader.ts'

const t = translator('uploads')

/** `paths`: the files of a report that the settings do not allow. */
type Props = { eventId: number; reason: 'heic' | 'raw' | 'video'; paths: readonly string[] }

/** Allows the files of a report that the settings do not, and sends those that are still known. */
export function AcceptTypes({ eventId, reason, paths }: Props) {
  const types = { heic: heicFileTypes, raw: rawFileTypes, video: [...new Set(paths.map(getExtension))] }[reason]
  const queries = useQueryClient()
  const accept = useMutation({
    mutationFn: async () => {
      const { general_allowed_file_types: list } = await unwrap(api.GET('/api/admin/settings'))
      const allowed = [...new Set([...splitFileTypes(list), ...types])].join(',')
      return unwrap(api.PUT('/api/admin/settings', { body: { general_allowed_file_types: allowed } }))
    },
    onSuccess: (saved) => {
      queries.setQueryData(settingsQuery.queryKey, saved)
      const count = sendLeftOut(eventId, reason)
      showNotice(count > 0 ? t('acceptedSent', { count }) : t('acceptedAgain'))
    },
  })
  return (
    <Button kind="primary" icon="upload" isBusy={accept.isPending} onClick={() => accept.mutate()}>
      {reason === 'video'
        ? t('acceptVideos', { types: types.join(', ').toUpperCase() })
        : t(reason === 'heic' ? 'acceptHeic' : 'acceptRaw')}
    </Button>
  )
}
