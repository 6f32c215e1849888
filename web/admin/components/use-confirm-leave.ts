import { useBlocker } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { confirm } from './confirm.tsx'

const t = translator('parts')

/** Asks before another page replaces one with unsaved changes. */
export function useConfirmLeave(isUnsaved: boolean): void {
  useBlocker({
    disabled: !isUnsaved,
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      return !(await confirm({ title: t('leaveTitle'), text: t('leaveText'), action: t('leave') }))
    },
  })
}
