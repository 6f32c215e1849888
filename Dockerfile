# syntax=docker/dockerfile:1
# Proofroom for amd64 and arm64: nothing is compiled, npm brings what fits the platform that is built for.

# What browsers and the service run, built with the packages of developers.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
RUN npm ci --ignore-scripts
COPY contract contract
COPY server server
COPY locales locales
COPY tools/build.ts tools/build-server.ts tools/build-web.ts tools/is-stale.ts tools/
COPY web web
RUN npm run build

FROM node:24-slim AS app
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has its own Node, so the script that brings another is left out.
RUN npm ci --omit=dev --ignore-scripts
COPY LICENSE ./
COPY bin bin
COPY contract contract
COPY server server
COPY locales locales
COPY web/assets web/assets
COPY --from=build /app/server/built server/built
COPY --from=build /app/web/built web/built
# Readable for whoever the service runs as, whatever the modes in the checkout were.
RUN chmod -R a+rX .

FROM node:24-slim
# ffmpeg decodes rare formats of videos. tini is the first process, so that none is left behind.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg tini && rm -rf /var/lib/apt/lists/*
COPY --from=app /app /app
RUN ln -s /app/bin/proofroom.js /usr/local/bin/proofroom && install -d -o node -g node -m 700 /data /import /backups
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /data
VOLUME /data
USER node
EXPOSE 3000
# That the process serves. Whether database and storage answer is what proxies ask (/health): a restart would not mend those.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "proofroom"]
CMD ["serve"]
