import './edit-event-page.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { adminAppData } from '../../app/admin-app-data.ts'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { useEvent } from '../event-context.tsx'
import { eventDefaultsQuery } from '../event-queries.ts'
import { LetterTexts } from '../mail/letter-texts.tsx'
import { CategoriesCard } from './categories-card.tsx'
import { CoverCard } from './cover-card.tsx'
import { EditEventForm } from './edit-event-form.tsx'
import { MembersCard } from './members-card.tsx'
import { openSection, Section, sectionIds } from './section.tsx'
import { useVersionTotals, VersionsCard } from './versions-card.tsx'

const t = translator('events')

/** The form is saved with its button; the cards below the form save each change immediately. */
export function EditEventPage() {
  const event = useEvent()
  const hasPermission = useHasPermission()
  const { data: defaults } = useQuery({ ...eventDefaultsQuery, enabled: hasPermission('events.create') })
  const isLocked = event.is_archived || !hasPermission('events.edit')
  const eventId = String(event.id)
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const versions = useVersionTotals(event)
  const sections = versions ? sectionIds : sectionIds.filter((section) => section !== 'versions')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the section of versions appears later
  useEffect(() => openSection(hash), [hash, sections.length])
  return (
    <div className="edit-event">
      <nav aria-label={t('sections')}>
        {sections.map((section) => (
          <Link
            key={section}
            to="/events/$eventId/edit"
            params={{ eventId }}
            hash={section}
            replace
            onClick={() => openSection(section)}
          >
            {t(`section_${section}`)}
          </Link>
        ))}
      </nav>
      <div className="edit-event-parts">
        {isLocked && <p className="edit-event-note">{event.is_archived ? t('archivedNote') : t('readOnlyNote')}</p>}
        <EditEventForm
          key={event.id}
          event={event}
          isLocked={isLocked}
          isPhoneKept={defaults?.is_phone_kept ?? event.customer_phone !== null}
        />
        <CoverCard event={event} isLocked={isLocked} />
        <CategoriesCard event={event} isLocked={isLocked} />
        {versions && <VersionsCard event={event} totals={versions} />}
        <Section id="letters">
          <p className="help">{t('lettersHelp')}</p>
          <LetterTexts
            // The mails of the event have this language.
            key={event.language}
            eventId={event.id}
            canEdit={!isLocked}
            firstLanguage={event.language ?? adminAppData.language}
          />
        </Section>
        <MembersCard event={event} isLocked={isLocked} />
      </div>
    </div>
  )
}
