# Builds the service and runs it as an unprivileged user:
#
#   docker build -t satscope .
#   docker run -p 127.0.0.1:8787:8787 -e SATSCOPE_TOKEN=… satscope --live
#
# Anyone who reaches the port needs the token.

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
ENTRYPOINT ["satscope", "serve", "--listen", "0.0.0.0:8787", "--token-env", "SATSCOPE_TOKEN", "--log", "-"]
