# syntax=docker/dockerfile:1
# Proofroom for amd64 and arm64: nothing is compiled, npm brings what fits the platform that is built for.

# The npm package, from the same files as `npm run package`.
FROM node:24-slim AS package
WORKDIR /checkout
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run package
WORKDIR /app
RUN npm install --omit=dev --ignore-scripts /checkout/dist/package/*.tgz

# The decoders for videos and HEIC files may need licenses for patents. To build an image without them: --build-arg VIDEO_DECODERS=no
ARG VIDEO_DECODERS=yes
RUN if [ "$VIDEO_DECODERS" = no ]; then rm -rf node_modules/@node-webcodecs; fi
# Only the native code for this platform.
RUN find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
  && rm -r node_modules/better-sqlite3/deps package.json package-lock.json

# Debian's essential packages, certificates, time zones and Node. tini is the first process, so that none is left behind.
FROM node:24-slim AS system
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libstdc++6 tini tzdata usr-is-merged \
  && apt-mark auto '*' >/dev/null \
  && apt-mark manual ca-certificates libstdc++6 tini tzdata usr-is-merged \
  && printf 'APT::AutoRemove::%sImportant "false";\n' Recommends Suggests >/etc/apt/apt.conf.d/no-recommends \
  && apt-get purge -y --auto-remove usrmerge
# The service uses no npm, manuals or translations.
RUN rm -rf /opt/yarn* /usr/local/lib/node_modules /usr/local/include /usr/local/bin/npm /usr/local/bin/npx \
  /usr/local/bin/corepack /usr/local/bin/yarn* /usr/share/locale /usr/share/man /var/cache/* /var/lib/apt/lists /var/log/*
# Whoever the service runs as, Docker makes it a member of the group root.
RUN install -d -o node -g root -m 770 /data /import /backups

# The licenses and the bill of materials of the image: those of the package and those of `system`.
FROM system AS contents
COPY --from=package /checkout /checkout
COPY --from=package /app /app
RUN node /checkout/tools/packaging/describe-image.ts /app /contents

FROM scratch
COPY --from=system / /
COPY --from=package /app /app
COPY --from=contents /contents /app
ENV PATH=/app/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /data
VOLUME /data
USER node
EXPOSE 3000
# That the process serves. Whether database and storage answer is what proxies ask (/health): a restart does not repair these.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "proofroom"]
CMD ["serve"]
