import { createProofroom, type Proofroom } from '../../clients/typescript/source/index.ts'
import { t } from '../platform/text/command-messages.ts'
import { readCommandVariables } from './command-environment.ts'
import { CommandRejected } from './command-errors.ts'

export type RemoteOptions = { url?: string; token?: string }

export type RemoteService = {
  client: Proofroom
  /** The host of its address, with a port that is not the usual one. */
  host: string
}

/** Returns null if no option and no variable names a service. Throws CommandRejected and ConfigProblems. */
export function findRemoteService({ url, token }: RemoteOptions): RemoteService | null {
  const { remote } = readCommandVariables({
    ...(url !== undefined && { PROOFROOM_URL: url }),
    ...(token !== undefined && { PROOFROOM_TOKEN: token, PROOFROOM_TOKEN_FILE: '' }),
  })
  if (remote.url === null) {
    if (token === undefined) return null
    throw new CommandRejected(t('tokenNeedsUrl'))
  }
  if (remote.token === null) {
    throw new CommandRejected(t('tokenMissing', { url: remote.url }))
  }
  if (!/^[\x21-\x7e]+$/.test(remote.token)) {
    throw new CommandRejected(t('tokenIncomplete'))
  }
  const client = createProofroom({ baseUrl: remote.url, token: remote.token })
  return { client, host: new URL(remote.url).host }
}
