/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.serve;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.serve.OpenService.Answer;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * An HTTP server with one task. A connection has one request and half a minute for all of it. The number of connections
 * and of messages in memory is bounded, and nothing of a body is kept before the token is right. It refuses requests of
 * browsers, which a page of a stranger may have caused. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed or written is at its end
final class OpenServer implements AutoCloseable {
    static final int MOST_BYTES = 16 << 20;
    static final int MOST_CONNECTIONS = 64;

    private static final int AT_ONCE = 4;
    private static final int LONGEST_LINE = 4096;
    private static final int LONGEST_HEADERS = 16 << 10;
    private static final int LONGEST_CHUNK = 64 << 10;
    private static final int LONGEST_ADDRESS = 1024;
    private static final long MOST_SECONDS = 30;
    private static final long LINGER_SECONDS = 2;
    private static final String BEARER = "Bearer ";
    private static final Pattern LOCAL = Pattern.compile(
            "(127(\\.[0-9]{1,3}){3}|localhost|\\[(::1|0:0:0:0:0:0:0:1)])(:[0-9]{1,5})?", Pattern.CASE_INSENSITIVE);

    private final byte[] tokenDigest;
    private final OpenService service;
    private final NioEventLoopGroup network = new NioEventLoopGroup(1);
    private final ExecutorService opening = Executors.newFixedThreadPool(AT_ONCE);
    private final Semaphore messages = new Semaphore(AT_ONCE);
    private final AtomicInteger connections = new AtomicInteger();
    private @Nullable Channel listening;

    private OpenServer(byte[] tokenDigest, OpenService service) {
        this.tokenDigest = tokenDigest.clone();
        this.service = service;
    }

    /**
     * Starts a server.
     *
     * @param tokenDigest SHA-256 of the token
     * @throws CliException if the address is taken
     */
    static OpenServer start(InetSocketAddress place, byte[] tokenDigest, OpenService service) {
        OpenServer server = new OpenServer(tokenDigest, service);
        try {
            server.listening = new ServerBootstrap()
                    .group(server.network)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            server.accept(channel);
                        }
                    })
                    .bind(place)
                    .syncUninterruptibly()
                    .channel();
            return server;
        } catch (Exception e) { // Netty throws checked ones undeclared
            server.close();
            throw CliException.failure(
                            "--listen: cannot listen at " + place.getHostString() + ":" + place.getPort() + " ("
                                    + (e instanceof IOException
                                            ? e.getMessage()
                                            : e.getClass().getSimpleName()) + ")")
                    .causedBy(e);
        }
    }

    /** Returns the address at which it listens. */
    InetSocketAddress address() {
        if (listening == null) {
            throw new IllegalStateException("server: not started");
        }
        return (InetSocketAddress) listening.localAddress();
    }

    private void accept(SocketChannel channel) {
        if (connections.incrementAndGet() > MOST_CONNECTIONS) {
            connections.decrementAndGet();
            channel.close();
            return;
        }
        channel.closeFuture().addListener(closed -> connections.decrementAndGet());
        ScheduledFuture<?> cut = channel.eventLoop().schedule(() -> channel.close(), MOST_SECONDS, TimeUnit.SECONDS);
        channel.closeFuture().addListener(closed -> cut.cancel(false));
        channel.pipeline()
                .addLast(new HttpServerCodec(LONGEST_LINE, LONGEST_HEADERS, LONGEST_CHUNK), new Request(channel));
    }

    /** Stops to listen, lets running requests end for a short time, and ends all threads. */
    @Override
    public void close() {
        if (listening != null) {
            listening.close().awaitUninterruptibly();
        }
        opening.shutdown();
        try {
            if (!opening.awaitTermination(LINGER_SECONDS, TimeUnit.SECONDS)) {
                opening.shutdownNow();
            }
        } catch (InterruptedException e) {
            opening.shutdownNow();
            Thread.currentThread().interrupt();
        }
        network.shutdownGracefully(0, LINGER_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** The one request of a connection. For the thread of the network. */
    private final class Request extends SimpleChannelInboundHandler<HttpObject> {
        private final String from;
        private @Nullable ByteBuf body;
        private String address = "";
        private boolean isAnswered;

        Request(SocketChannel channel) {
            InetSocketAddress remote = channel.remoteAddress();
            this.from = remote == null ? "unknown" : remote.getAddress().getHostAddress() + ":" + remote.getPort();
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            if (isAnswered) {
                return; // what comes after an answer does not count
            }
            if (!part.decoderResult().isSuccess()) {
                answer(context, Answer.failure(400, "MALFORMED", "not a request of HTTP, or its headers are too long"));
                return;
            }
            if (part instanceof HttpRequest head) {
                begin(context, head);
            }
            if (part instanceof HttpContent content && !isAnswered) {
                take(context, content);
            }
        }

        private void begin(ChannelHandlerContext context, HttpRequest head) {
            Answer refused = refusal(head);
            if (refused != null) {
                answer(context, refused);
                return;
            }
            if (!messages.tryAcquire()) {
                answer(context, Answer.failure(503, "BUSY", "other messages are being opened; try again"));
                return;
            }
            body = Unpooled.buffer(LONGEST_CHUNK, MOST_BYTES);
            if (HttpUtil.is100ContinueExpected(head)) {
                context.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
            }
        }

        /** Returns the answer to a request that is not to be served; null for one that is. */
        private @Nullable Answer refusal(HttpRequest head) {
            List<String> hosts = head.headers().getAll(HttpHeaderNames.HOST);
            if (hosts.size() != 1
                    || !LOCAL.matcher(hosts.get(0)).matches()
                    || head.headers().contains(HttpHeaderNames.ORIGIN)
                    || head.headers().contains("Sec-Fetch-Site")) {
                service.audit().refused(from, "browser");
                return Answer.failure(
                        403, "FORBIDDEN", "from a browser, or the header Host does not name this machine's loopback");
            }
            if (!isAuthorized(head.headers().getAll(HttpHeaderNames.AUTHORIZATION))) {
                service.audit().refused(from, "token");
                return Answer.failure(401, "UNAUTHORIZED", "needs the header Authorization: Bearer TOKEN");
            }
            QueryStringDecoder uri = new QueryStringDecoder(head.uri(), StandardCharsets.UTF_8, true, 4);
            if (!uri.rawPath().equals("/open")) {
                return Answer.failure(404, "NOT_FOUND", "there is /open alone");
            }
            if (!head.method().equals(HttpMethod.POST)) {
                return Answer.failure(405, "METHOD", "send the message by POST");
            }
            Map<String, List<String>> parameters = parameters(uri);
            List<String> addresses = parameters.getOrDefault("address", List.of());
            if (parameters.size() != 1
                    || addresses.size() != 1
                    || addresses.get(0).isEmpty()
                    || addresses.get(0).length() > LONGEST_ADDRESS) {
                return Answer.failure(400, "ADDRESS", "needs the one parameter address: /open?address=A");
            }
            if (HttpUtil.getContentLength(head, 0L) > MOST_BYTES) {
                return tooLong();
            }
            address = addresses.get(0);
            return null;
        }

        /** Returns the parameters; none if they are malformed. */
        private static Map<String, List<String>> parameters(QueryStringDecoder uri) {
            try {
                return uri.parameters();
            } catch (IllegalArgumentException malformed) { // a '%' without two digits
                return Map.of();
            }
        }

        private boolean isAuthorized(List<String> headers) {
            String given = headers.size() == 1 ? headers.get(0) : "";
            byte[] digest = CryptoProviders.sha256(
                    given.startsWith(BEARER)
                            ? given.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8)
                            : new byte[0]);
            return MessageDigest.isEqual(digest, tokenDigest);
        }

        private void take(ChannelHandlerContext context, HttpContent content) {
            ByteBuf collected = body;
            if (collected == null) {
                return;
            }
            if (content.content().readableBytes() > MOST_BYTES - collected.readableBytes()) {
                release();
                answer(context, tooLong());
                return;
            }
            collected.writeBytes(content.content());
            if (content instanceof LastHttpContent) {
                isAnswered = true;
                body = null;
                byte[] bytes = new byte[collected.readableBytes()];
                collected.readBytes(bytes);
                collected.release();
                open(context, bytes);
            }
        }

        private void open(ChannelHandlerContext context, byte[] bytes) {
            try {
                opening.execute(() -> {
                    try {
                        write(context, service.open(from, address, bytes));
                    } finally {
                        messages.release();
                    }
                });
            } catch (RejectedExecutionException stopping) {
                messages.release();
                context.close();
            }
        }

        private Answer tooLong() {
            return Answer.failure(413, "TOO_LONG", "longer than " + MOST_BYTES + " bytes; use signet message open");
        }

        private void answer(ChannelHandlerContext context, Answer answer) {
            isAnswered = true;
            write(context, answer);
        }

        /** Writes an answer. It reads on for a short time, because a client may miss an answer while it still sends. */
        private void write(ChannelHandlerContext context, Answer answer) {
            FullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    HttpResponseStatus.valueOf(answer.status()),
                    Unpooled.wrappedBuffer(answer.body()));
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                    .set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length)
                    .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                    .set("X-Content-Type-Options", "nosniff")
                    .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            if (answer.status() == 401) {
                response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
            }
            context.writeAndFlush(response).addListener((ChannelFutureListener) written -> {
                if (written.isSuccess() && written.channel() instanceof SocketChannel channel) {
                    channel.shutdownOutput();
                    channel.eventLoop().schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
                } else {
                    written.channel().close();
                }
            });
        }

        private void release() {
            ByteBuf collected = body;
            if (collected != null) {
                body = null;
                collected.release();
                messages.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            release();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
