import { quote } from '../text/quote.ts'
import { formatOwner } from './data-owner.ts'

// Command lines with which an administrator gives a folder to the user of this process.

const getSelf = () => formatOwner({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })

export function formatCreateFolder(path: string): string {
  const [user = '', group = ''] = getSelf().split(':')
  return `sudo install -d -o ${user} -g ${group} -m 700 ${quote(path)}`
}

export const formatGiveFolder = (path: string, { recursive }: { recursive: boolean }): string =>
  `sudo chown ${recursive ? '-R ' : ''}${getSelf()} ${quote(path)}`
