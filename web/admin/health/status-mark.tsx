import type { Wire } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

const t = translator('health')

export type HealthStatus = Wire['HealthItem']['status']

const icons: Record<HealthStatus, IconName> = { ok: 'check', warn: 'info', fail: 'warning' }

export const StatusMark = ({ status }: { status: HealthStatus }) => (
  <span className={`health-mark ${status}`}>
    <Icon name={icons[status]} />
    {t(`status_${status}`)}
  </span>
)
