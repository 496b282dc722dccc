/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.signetmq.keystore.trust.RevocationSettings;

/**
 * Asks addresses by HTTP within limits of time and size. It sends no credentials and no cookies, and follows few
 * redirections. Thread-safe.
 *
 * @param client the client, which follows no redirection itself
 * @param rule the addresses that may be asked
 * @param timeout the most time of a question with its redirections
 */
record HttpDownload(HttpClient client, AddressRule rule, Duration timeout) {
    private static final int OK = 200;

    static HttpDownload with(RevocationSettings settings) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(settings.timeout())
                .build();
        return new HttpDownload(client, new AddressRule(settings.hosts()), settings.timeout());
    }

    /**
     * Returns the content of an address.
     *
     * @throws IOException with the reason, in words that the asked host did not choose
     */
    byte[] get(URI address, int mostBytes) throws IOException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        URI asked = address;
        for (int i = 0; i <= FetchLimits.REDIRECTIONS; i++) {
            HttpResponse<byte[]> response =
                    send(HttpRequest.newBuilder(checked(asked)).GET(), mostBytes, end);
            if (response.statusCode() == OK) {
                return response.body();
            }
            asked = target(asked, response);
        }
        throw new IOException("more than " + FetchLimits.REDIRECTIONS + " redirections");
    }

    /** Returns the answer to a posted question. */
    byte[] post(URI address, byte[] question, int mostBytes) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(checked(address))
                .header("Content-Type", "application/ocsp-request")
                .POST(HttpRequest.BodyPublishers.ofByteArray(question));
        HttpResponse<byte[]> response = send(request, mostBytes, System.nanoTime() + timeout.toNanos());
        if (response.statusCode() != OK) {
            throw new IOException("HTTP status " + response.statusCode());
        }
        return response.body();
    }

    private URI checked(URI address) throws IOException {
        rule.require(address);
        return address;
    }

    private static URI target(URI asked, HttpResponse<byte[]> response) throws IOException {
        int status = response.statusCode();
        String location = response.headers().firstValue("Location").orElse("");
        boolean redirects = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
        if (!redirects || location.isEmpty() || location.length() > FetchLimits.ADDRESS_LENGTH) {
            throw new IOException("HTTP status " + status);
        }
        try {
            return asked.resolve(location);
        } catch (IllegalArgumentException malformed) {
            throw new IOException("HTTP status " + status + " with a malformed location", malformed);
        }
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request, int mostBytes, long end)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> response =
                client.sendAsync(request.header("User-Agent", "Signet").build(), head -> new BoundedBody(mostBytes));
        try {
            return response.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new IOException("no complete answer within " + timeout.toSeconds() + " seconds", late);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof TooLargeException large
                    ? large
                    : new IOException("cannot be asked: " + reason(failed), failed);
        } finally {
            response.cancel(true);
        }
    }

    /** Returns the kind of a failure. Its text could contain what the asked host sent. */
    private static String reason(ExecutionException failed) {
        Throwable cause = failed.getCause();
        return (cause == null ? failed : cause).getClass().getSimpleName();
    }
}
