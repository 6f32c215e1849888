import { constants, statSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { canUse, findUserName } from '../../platform/process/data-owner.ts'
import { t } from '../../platform/text/command-messages.ts'
import { quote } from '../../platform/text/quote.ts'

/**
 * Returns why this user cannot read a file or list a folder, with the line that an administrator runs to allow it; null
 * if nothing is denied, also where the path does not exist. The line allows all of `root`, which is the path or a
 * folder above it. It does not change the owner and the mode, because these belong to the other installation.
 */
export function describeDenied(path: string, root: string = path): string | null {
  const denied = findDenied(resolve(path))
  if (denied === null) return null
  const user = findUserName(process.getuid?.() ?? 0)
  const name = quote(user.replace('#', ''))
  const isAbove = denied !== resolve(root) && resolve(root).startsWith(denied === sep ? sep : denied + sep)
  const line = isAbove
    ? `sudo setfacl -m u:${name}:x ${quote(denied)}`
    : `sudo setfacl -R -m u:${name}:rX ${quote(resolve(root))}`
  return t('accessDenied', { path: denied, user, line })
}

/** Returns the first folder on the way that cannot be entered, or the path if it cannot be read. */
function findDenied(path: string): string | null {
  const above = listAbove(path).find((folder) => !canUse(folder, constants.X_OK))
  if (above !== undefined) return above
  return canUse(path, isFolder(path) ? constants.R_OK | constants.X_OK : constants.R_OK) ? null : path
}

const listAbove = (path: string): string[] => {
  const above = dirname(path)
  return above === path ? [] : [...listAbove(above), above]
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
