import { defineConfig } from 'vitest/config'

/** The tests that Stryker runs for each mutant: those of the mutated modules, without tests over HTTP. */
export default defineConfig({
  test: {
    include: [
      'server/{gallery,gallery-access,events}/*-rules.test.ts',
      'server/feedback/marks/{mark-rules,feedback-filters,mark-filters}.test.ts',
      'server/photos/lists/mark-filter-rules.test.ts',
      'server/gallery/gallery-filters.test.ts',
      'server/access/{guards,roles,same-origin-hook,limits/rate-limits,limits/delay-attempts,limits/sign-in-lock}.test.ts',
      'server/webhooks/{filter-rules,delivery/delivery-schedule}.test.ts',
      'server/webhooks/receivers/{retry-after,public-addresses,receiver-address,receiver-url}.test.ts',
      'server/archives/{plan-archive,zip-format,archive-names}.test.ts',
      'server/platform/{storage/crc32-arithmetic,background/shared-rate-counter}.test.ts',
      'server/receiving/chunked/{upload-rules,upload-gate,complete-upload,upload-records}.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
