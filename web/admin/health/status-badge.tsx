import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Icon, type IconName } from '../components/icon.tsx'

const t = translator('health')

export type HealthStatus = Schemas['HealthItem']['status']

const icons: Record<HealthStatus, IconName> = { ok: 'check', warn: 'info', fail: 'warning' }

export const StatusBadge = ({ status }: { status: HealthStatus }) => (
  <span className={`health-mark ${status}`}>
    <Icon name={icons[status]} />
    {t(`status_${status}`)}
  </span>
)
