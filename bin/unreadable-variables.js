// Says how to let the user of the service read the file of `--env`, without allowing everybody to read it.
import { readFileSync, statSync } from 'node:fs'
import process from 'node:process'

/** Users with lower ids are those of services. */
const firstPersonId = 1000

/**
 * Returns what the operator has to do so that a command can read this file: give it to the group of the service, or run
 * the command as the user of the service.
 */
export function describeUnreadable(path) {
  const users = readEntries('/etc/passwd')
  const groups = readEntries('/etc/group')
  const self = users.find(({ id }) => id === process.getuid()) ?? { name: `#${process.getuid()}`, id: process.getuid() }
  const stats = findStats(path)
  if (stats === null) {
    return `The user ${self.name} may not open a folder above it. Move the file to a folder that all users may open, such as /etc.`
  }
  const findGroup = (id) => groups.find((group) => group.id === id)?.name ?? String(id)
  const isPerson = self.id >= firstPersonId
  const reader = (stats.mode & 0o040) === 0 ? undefined : users.find(({ name }) => name === findGroup(stats.gid))
  if (reader !== undefined && reader.id !== 0 && reader.id !== self.id) {
    return `Only the service may read it, as the user ${reader.name}. ${describeUser(reader.name)}`
  }
  const service = (isPerson && users.find(({ name }) => name === 'proofroom')) || self
  const owner = users.find(({ id }) => id === stats.uid)?.name ?? String(stats.uid)
  const group = findGroup(service.gid ?? process.getgid())
  const lines = `sudo chown ${owner}:${group} ${quote(path)} && sudo chmod 640 ${quote(path)}`
  const then = service.id === self.id ? '' : `\n${describeUser(service.name)}`
  return `Let the user ${service.name} read it:\n  ${lines}${then}`
}

const describeUser = (name) => `Run the command as this user, with "sudo -u ${name}" before it.`

function findStats(path) {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

/**
 * Reads `/etc/passwd` or `/etc/group`, whose third field is the id. The fourth field of a user is the id of the group.
 */
function readEntries(path) {
  try {
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    return lines.map((line) => line.split(':')).map(([name, , id, gid]) => ({ name, id: Number(id), gid: Number(gid) }))
  } catch {
    return []
  }
}

const quote = (word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
