# docker build -t kbsync . && docker run -p 4000:4000 -v kbsync:/data -e KBSYNC_SITE_URL=https://help.example.com kbsync
FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
# Without it the C library keeps a pool of free memory for each thread: 40 MB more at the peak.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/dist ./dist
RUN ln -s /app/dist/cli/bin.js /usr/local/bin/kbsync && chmod +x dist/cli/bin.js \
  && mkdir /data && chown node:node /data
# The numbers of `node` in the image, so that a cluster can see that it is not root.
USER 1000:1000
VOLUME /data
WORKDIR /data
EXPOSE 4000
# Alive, not ready: a service that waits for its database is not to be started anew.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM: not ready at once, closed after 5 seconds, answers under way are finished.
STOPSIGNAL SIGTERM
ENTRYPOINT ["kbsync"]
CMD ["serve", "--host", "0.0.0.0", "--port", "4000", "--stop-delay", "5", "--log"]
