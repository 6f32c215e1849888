import { adminAppData } from '../app/admin-app-data.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Card } from '../components/page.tsx'
import { LetterTexts } from '../events/mail/letter-texts.tsx'

const t = translator('letters')

export const LettersPage = () => (
  <Card title={t('title')}>
    <p className="quiet-text">{t('about')}</p>
    <LetterTexts eventId={null} canEdit={useHasPermission()('settings.edit')} firstLanguage={adminAppData.language} />
  </Card>
)
