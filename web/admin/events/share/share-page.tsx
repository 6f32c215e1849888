import './share-page.css'
import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { ShareButton } from '../../components/share-button.tsx'
import { useEvent } from '../event-context.tsx'
import { getEventState } from '../event-state.ts'
import { FirstLookCard } from '../first-look/first-look-card.tsx'
import { previewPath } from '../share-urls.ts'
import { LinkAndPassword } from './link-and-password.tsx'
import { MailCard } from './mail-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { downloadPng, downloadSvg } from './qr-files.ts'
import { ShareRulesCard } from './share-rules-card.tsx'

const t = translator('events')

export function SharePage() {
  const event = useEvent()
  const hasPermission = useHasPermission()
  const state = getEventState(event)
  const isLocked = state === 'archived' || !hasPermission('events.edit')
  return (
    <div className="share-page">
      {state !== 'live' && <p className="share-note">{t(`shareNote_${state}`)}</p>}
      <section className="card" aria-labelledby="link-title">
        <div className="card-head">
          <h2 id="link-title">{t('linkTitle')}</h2>
        </div>
        <LinkAndPassword event={event} />
        <div className="buttons">
          <ShareButton title={event.event_name} url={event.share_url} />
          {state !== 'archived' && (
            <a className={buttonClass()} href={previewPath(event)} target="_blank" rel="noopener">
              <Icon name="eye" />
              {t('preview')}
            </a>
          )}
        </div>
        {state !== 'archived' && <p className="help">{t('previewHelp')}</p>}
      </section>
      <section className="card" aria-labelledby="qr-title">
        <div className="card-head">
          <h2 id="qr-title">{t('qrTitle')}</h2>
        </div>
        <QrCode text={event.share_url} label={t('qrLabel', { name: event.event_name })} />
        <div className="buttons share-qr">
          <Button icon="download" onClick={() => downloadSvg(event)}>
            SVG
          </Button>
          <Button icon="download" onClick={() => void downloadPng(event)}>
            PNG
          </Button>
        </div>
        <p className="help">{t('qrHelp')}</p>
      </section>
      <PasswordCard key={`password ${event.id}`} event={event} isLocked={isLocked} />
      <ShareRulesCard event={event} isLocked={isLocked} />
      <MailCard event={event} isLocked={isLocked} />
      <FirstLookCard event={event} isLocked={isLocked} />
      {!isLocked && (
        <p className="help">
          <Link to="/events/$eventId/edit" params={{ eventId: String(event.id) }}>
            {t('allSettings')}
          </Link>
        </p>
      )}
    </div>
  )
}
