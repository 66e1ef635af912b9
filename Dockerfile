# Builds the service and runs it as an unprivileged user:
#
#   docker build -t satscope .
#   docker run --stop-timeout 20 -p 127.0.0.1:8787:8787 -e SATSCOPE_TOKEN satscope --live
#
# Anyone who reaches the port needs the token. Behind nginx (docs/nginx.conf), run the instances without one, in a
# network that only nginx can reach:
#
#   docker run --stop-timeout 20 --network NETWORK --entrypoint satscope satscope serve --live \
#     --listen 0.0.0.0:8787 --no-token --shared redis://HOST --log -
#
# Responses in progress need up to 15 s after the stop signal (`stop_grace_period: 20s` in a compose file).

FROM rust:1.91-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked && cp target/release/satscope /usr/local/bin/

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home --home-dir /var/lib/satscope satscope
COPY --from=build /usr/local/bin/satscope /usr/local/bin/satscope
USER satscope
VOLUME /var/lib/satscope
EXPOSE 8787
STOPSIGNAL SIGTERM
# The image has no HTTP client.
HEALTHCHECK CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8787 && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && grep -q '^HTTP/1.. 200' <&3"]
ENTRYPOINT ["satscope", "serve", "--listen", "0.0.0.0:8787", "--token-env", "SATSCOPE_TOKEN", "--log", "-"]
