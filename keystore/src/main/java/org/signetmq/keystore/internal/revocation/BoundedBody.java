/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects the body of an answer, and ends the connection when it becomes too long. */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
    private final int mostBytes;
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    BoundedBody(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription granted) {
        subscription = granted;
        granted.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (body.isDone()) {
                return;
            }
            if (part.remaining() > mostBytes - collected.size()) {
                if (subscription != null) {
                    subscription.cancel();
                }
                body.completeExceptionally(new TooLargeException(mostBytes));
                return;
            }
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            collected.write(bytes, 0, bytes.length);
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(collected.toByteArray());
    }
}
