import './menu.css'
import * as Radix from '@radix-ui/react-dropdown-menu'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export const Menu = ({ trigger, children }: { trigger: ReactNode; children: ReactNode }) => (
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

type ItemProps = {
  icon?: IconName
  isDangerous?: boolean
  isDisabled?: boolean
  onSelect?: () => void
  children: ReactNode
}

export const MenuItem = ({ icon, isDangerous = false, isDisabled = false, onSelect, children }: ItemProps) => (
  <Radix.Item
    className={`menu-item${isDangerous ? ' danger' : ''}`}
    disabled={isDisabled}
    onSelect={() => onSelect?.()}
  >
    {icon && <Icon name={icon} />}
    {children}
  </Radix.Item>
)

/** An item with the behavior of a link, such as opening in a new tab. */
export const MenuLink = ({ children }: { children: ReactNode }) => (
  <Radix.Item className="menu-item" asChild>
    {children}
  </Radix.Item>
)

export const MenuSeparator = () => <Radix.Separator className="menu-line" />
