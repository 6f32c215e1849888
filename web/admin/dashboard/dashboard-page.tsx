import './dashboard.css'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatSize } from '../../shared/format-units.ts'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { language, translator } from '../app/language.ts'
import { useHasPermission, useMe } from '../app/me.ts'
import { buttonClass } from '../components/button.tsx'
import { formatNumber } from '../components/format-time.ts'
import { Icon } from '../components/icon.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Card, Empty, Page } from '../components/page.tsx'
import { NoEvents } from '../events/no-events.tsx'
import { ActLines } from '../health/acts.tsx'
import { Attention } from './attention.tsx'
import { DayChart } from './day-chart.tsx'
import { RecentGalleries } from './recent-galleries.tsx'

const t = translator('dashboard')
const tParts = translator('parts')

type Dashboard = Schemas['Dashboard']
type Period = '30' | '90'

const dashboardQuery = (days: Period) =>
  queryOptions({
    queryKey: ['dashboard', days],
    queryFn: ({ signal }) => unwrap(api.GET('/api/admin/dashboard', { params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
  })

export function DashboardPage() {
  const [period, setPeriod] = useState<Period>('30')
  const query = useQuery(dashboardQuery(period))
  const hasPermission = useHasPermission()
  const actions = hasPermission('events.create') && (
    <Link to="/events/new" className={buttonClass('primary')}>
      <Icon name="plus" />
      {t('newEvent')}
    </Link>
  )
  return (
    <Page title={t('title')} actions={actions}>
      <Loaded query={query}>
        {(figures) =>
          figures.events.total === 0 ? (
            <NoEvents>
              <FirstSteps />
            </NoEvents>
          ) : (
            <Figures figures={figures} period={period} onPeriodChange={setPeriod} />
          )
        }
      </Loaded>
    </Page>
  )
}

const FirstSteps = () => (
  <Empty title={t('nothing')} text={t('nothingText')}>
    <Link to="/welcome" className={buttonClass('primary')}>
      {t('begin')}
    </Link>
  </Empty>
)

type FiguresProps = { figures: Dashboard; period: Period; onPeriodChange: (period: Period) => void }

function Figures({ figures, period, onPeriodChange }: FiguresProps) {
  const { days } = figures
  const { role } = useMe()
  return (
    <>
      <Attention figures={figures} />
      <RecentGalleries />
      <dl className="figures">
        <Figure name={t('live')} value={formatNumber(figures.events.live)} more={describeOtherEvents(figures)} />
        <Figure
          name={t('photos')}
          value={formatNumber(figures.photos.total - figures.photos.videos)}
          more={describePhotos(figures)}
        />
        <Figure name={t('views')} value={formatNumber(figures.visits.views)} />
        <Figure name={t('downloads')} value={formatNumber(figures.visits.downloads)} />
        <Figure
          name={t('picks')}
          value={formatNumber(figures.feedback.favorites + figures.feedback.likes)}
          more={t(figures.photos.videos > 0 ? 'markedFiles' : 'markedPhotos', {
            count: figures.feedback.marked_photos,
          })}
        />
      </dl>
      {hasHistory(days) && (
        <>
          <fieldset className="span-choice">
            <legend className="heard">{t('span')}</legend>
            {(['30', '90'] as const).map((one) => (
              <label key={one}>
                <input type="radio" name="span" checked={period === one} onChange={() => onPeriodChange(one)} />
                {t('lastDays', { count: Number(one) })}
              </label>
            ))}
          </fieldset>
          <div className="charts">
            <DayChart title={t('views')} days={days} getCount={({ views }) => views} />
            <DayChart title={t('picks')} days={days} getCount={({ favorites, likes }) => favorites + likes} />
            <DayChart title={t('downloads')} days={days} getCount={({ downloads }) => downloads} />
            <DayChart
              title={t('uploads')}
              days={days}
              getCount={({ upload_bytes }) => upload_bytes}
              format={(bytes) => formatSize(bytes, language)}
            />
          </div>
        </>
      )}
      {figures.acts.guests.length + figures.acts.accounts.length > 0 && (
        <Card
          title={t(role === 'super_admin' ? 'latest' : 'latestOfYours')}
          actions={<Link to="/activity">{t('allActivity')}</Link>}
        >
          {figures.acts.guests.length > 0 && (
            <ActGroup title={t('actsOfGuests')} acts={figures.acts.guests} by="guests" />
          )}
          {figures.acts.accounts.length > 0 && (
            <ActGroup title={t('actsOfTeam')} acts={figures.acts.accounts} by="accounts" />
          )}
        </Card>
      )}
    </>
  )
}

type ActGroupProps = { title: string; acts: Dashboard['acts']['guests']; by: 'guests' | 'accounts' }

const ActGroup = ({ title, acts, by }: ActGroupProps) => (
  <>
    <h3 className="act-group">{title}</h3>
    <ActLines acts={acts} by={by} label={title} />
  </>
)

/** A chart with a single bar shows no development. */
const hasHistory = (days: Schemas['DashboardDay'][]): boolean =>
  days.filter(({ views, favorites, likes, downloads, uploads }) => views + favorites + likes + downloads + uploads > 0)
    .length > 1

const describeOtherEvents = ({ events: { draft, expired, archived } }: Dashboard): string =>
  [
    draft > 0 && t('drafts', { count: draft }),
    expired > 0 && t('expired', { count: expired }),
    archived > 0 && t('archived', { count: archived }),
  ]
    .filter(Boolean)
    .join(' · ')

const describePhotos = ({ photos: { videos, size_bytes } }: Dashboard): string =>
  [videos > 0 && tParts('videoCount', { count: videos }), formatSize(size_bytes, language)].filter(Boolean).join(' · ')

const Figure = ({ name, value, more = '' }: { name: string; value: string; more?: string }) => (
  <div className="figure">
    <dt>{name}</dt>
    <dd className="figure-value">{value}</dd>
    {more && <dd className="figure-more">{more}</dd>}
  </div>
)
