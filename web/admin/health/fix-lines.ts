export type FixLine = { where: 'environment' | 'nginx' | 'caddy' | 'caddyWithout' | 'shell'; line: string }

const examples: Record<string, readonly FixLine[]> = {
  mail: [
    {
      where: 'environment',
      line: "SMTP_URL='smtp://user:password@mail.example.com:587'\nMAIL_FROM='Studio <photos@example.com>'",
    },
  ],
  proxy: [{ where: 'environment', line: 'TRUST_PROXY=1' }],
  nodes: [{ where: 'environment', line: 'S3_BUCKET=photos\nS3_ENDPOINT=https://s3.example.com' }],
}

export const isLocalHostname = (hostname: string): boolean =>
  /^(localhost|127\.[\d.]+|\[::1\]|.+\.localhost)$/.test(hostname)

/**
 * Returns configuration lines or commands that fix an item of the health page. `origin` is the origin of the admin app.
 */
export function getFixLines(item: { key: string; facts: Record<string, unknown> }, origin: string): readonly FixLine[] {
  // Guests cannot use a local address, so the line contains an example.
  const guestOrigin = isLocalHostname(new URL(origin).hostname) ? 'https://photos.example.com' : origin
  if (item.key === 'address') return [{ where: 'environment', line: `PUBLIC_URL=${guestOrigin}` }]
  // A mail server is configured, so only single mails have failed.
  if (item.key === 'mail' && item.facts.is_configured === true) return []
  if (item.key === 'nodes' && item.facts.is_hearing === false) return []
  // In a checkout, the program is a path.
  if (item.key === 'backup') return [{ where: 'shell', line: `${item.facts.program} backup /mnt/backup` }]
  return examples[item.key] ?? []
}
