import type { Wire } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

const say = sayIn('health')

export type HealthStatus = Wire['HealthItem']['status']

const icons: Record<HealthStatus, IconName> = { ok: 'check', warn: 'info', fail: 'warning' }

export const StatusMark = ({ status }: { status: HealthStatus }) => (
  <span className={`health-mark ${status}`}>
    <Icon name={icons[status]} />
    {say(`status_${status}`)}
  </span>
)
