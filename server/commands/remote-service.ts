import { createProofroom, type Proofroom } from '../../clients/typescript/source/index.ts'
import { readCommandVariables } from './command-environment.ts'
import { CommandRejected } from './command-errors.ts'

export type RemoteOptions = { url?: string; token?: string }

/** Returns null if neither the options nor the variables name a service. Throws CommandRejected and ConfigProblems. */
export function findRemoteService({ url, token }: RemoteOptions): Proofroom | null {
  const { remote } = readCommandVariables({
    ...(url !== undefined && { PROOFROOM_URL: url }),
    ...(token !== undefined && { PROOFROOM_TOKEN: token, PROOFROOM_TOKEN_FILE: '' }),
  })
  if (remote.url === null) {
    if (token === undefined) return null
    throw new CommandRejected('--token needs the address of the service: --url, or PROOFROOM_URL.')
  }
  if (remote.token === null) {
    throw new CommandRejected(
      `Create an API token with the scope write in the admin app (${remote.url}/admin), and set PROOFROOM_TOKEN to it.`,
    )
  }
  return createProofroom({ baseUrl: remote.url, token: remote.token })
}
