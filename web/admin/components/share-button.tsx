import { translator } from '../app/language.ts'
import { Button } from './button.tsx'

const t = translator('parts')

/** Opens the share sheet of the device. Renders nothing where the browser has none. */
export const ShareButton = ({ title, url }: { title: string; url: string }) =>
  'share' in navigator && (
    <Button icon="share" onClick={() => openShareSheet(title, url)}>
      {t('shareBy')}
    </Button>
  )

/** `navigator.share` rejects when the user closes the share sheet, which is not an error. */
const openShareSheet = (title: string, url: string): void => void navigator.share({ title, url }).catch(() => undefined)
