/** What is to be written, and where: into the environment of the service, a proxy, or a shell. */
export type FixLine = { where: 'environment' | 'nginx' | 'caddy' | 'caddyWithout' | 'shell'; line: string }

const examples: Record<string, readonly FixLine[]> = {
  mail: [
    {
      where: 'environment',
      line: "SMTP_URL='smtp://user:password@mail.example.com:587'\nMAIL_FROM='Studio <photos@example.com>'",
    },
  ],
  proxy: [{ where: 'environment', line: 'TRUST_PROXY=1' }],
  backup: [{ where: 'shell', line: 'proofroom backup /mnt/backup' }],
  nodes: [{ where: 'environment', line: 'S3_BUCKET=photos\nS3_ENDPOINT=https://s3.example.com' }],
}

/** The machine itself. */
export const isLocal = (hostname: string): boolean => /^(localhost|127\.[\d.]+|\[::1\]|.+\.localhost)$/.test(hostname)

/** The exact line for what an item of the health page wants, where there is one; `origin`: where the browser is. */
export function fixLinesOf(item: { key: string; facts: Record<string, unknown> }, origin: string): readonly FixLine[] {
  // What is meant for guests is seldom where the machine reaches itself.
  const guestsAt = isLocal(new URL(origin).hostname) ? 'https://photos.example.com' : origin
  if (item.key === 'address') return [{ where: 'environment', line: `PUBLIC_URL=${guestsAt}` }]
  // A server is there; what is wrong is with its mails.
  if (item.key === 'mail' && item.facts.is_configured === true) return []
  if (item.key === 'nodes' && item.facts.is_hearing === false) return []
  return examples[item.key] ?? []
}
