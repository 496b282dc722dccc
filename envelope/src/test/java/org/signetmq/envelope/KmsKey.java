/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;

/**
 * An example of a key in a key service: an elliptic key of AWS KMS, by DeriveSharedSecret and Sign. In KMS a key does
 * one of both, and signs with the digest of its curve: SHA-512 for P-521. An application would sign the requests with
 * its credentials, which is left out here.
 */
final class KmsKey implements PrivateKeyOperations {
    private static final long MOST_BYTES = 16 << 10;

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI service;
    private final Duration most;
    private final String keyId;
    private final ECPublicKey publicKey;

    /**
     * Creates a key.
     *
     * @param most how long a call may take
     */
    KmsKey(URI service, Duration most, String keyId, ECPublicKey publicKey) {
        this.service = service;
        this.most = most;
        this.keyId = keyId;
        this.publicKey = publicKey;
    }

    @Override
    public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
        if (scheme != SignatureScheme.ECDSA) {
            throw problem("it cannot sign with " + scheme, null);
        }
        try {
            byte[] hash = MessageDigest.getInstance(digest).digest(bytes);
            byte[] signed = call(
                    "Sign",
                    "\"Message\":\"" + base64(hash) + "\",\"MessageType\":\"DIGEST\",\"SigningAlgorithm\":\"ECDSA_"
                            + digest.replace('-', '_') + "\"",
                    "Signature");
            Signature check = Signature.getInstance(scheme.primitive(digest));
            check.initVerify(publicKey);
            check.update(bytes);
            if (check.verify(signed)) {
                return signed;
            }
            throw problem("its signature is wrong", null);
        } catch (GeneralSecurityException e) {
            throw problem("its signature is wrong", e);
        }
    }

    @Override
    public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
        return null; // not an RSA key
    }

    @Override
    public byte @Nullable [] agree(PublicKey other) {
        int bits = publicKey.getParams().getCurve().getField().getFieldSize();
        if (!(other instanceof ECPublicKey theirs)
                || theirs.getParams().getCurve().getField().getFieldSize() != bits) {
            return null;
        }
        byte[] secret = call(
                "DeriveSharedSecret",
                "\"KeyAgreementAlgorithm\":\"ECDH\",\"PublicKey\":\"" + base64(other.getEncoded()) + "\"",
                "SharedSecret");
        if (secret.length != (bits + 7) / 8) {
            throw problem("its secret has " + secret.length + " bytes", null);
        }
        return secret;
    }

    private byte[] call(String action, String parameters, String result) {
        HttpRequest request = HttpRequest.newBuilder(service)
                .header("X-Amz-Target", "TrentService." + action)
                .header("Content-Type", "application/x-amz-json-1.1")
                .POST(HttpRequest.BodyPublishers.ofString("{\"KeyId\":\"" + keyId + "\"," + parameters + "}"))
                .build();
        CompletableFuture<HttpResponse<String>> answer = http.sendAsync(request, KmsKey::limited);
        try {
            return result(answer.get(most.toMillis(), TimeUnit.MILLISECONDS), result);
        } catch (ExecutionException e) {
            throw problem("it cannot be reached, or its answer is too long", e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw problem("no answer in " + most.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw problem("interrupted", e);
        }
    }

    private static HttpResponse.BodySubscriber<String> limited(HttpResponse.ResponseInfo info) {
        if (info.headers().firstValueAsLong("Content-Length").orElse(Long.MAX_VALUE) > MOST_BYTES) {
            throw new IllegalStateException("too long");
        }
        return HttpResponse.BodySubscribers.ofString(UTF_8);
    }

    private byte[] result(HttpResponse<String> answer, String name) {
        if (answer.statusCode() != 200) {
            Matcher type = Pattern.compile("\"__type\": ?\"([A-Za-z]{1,60})\"").matcher(answer.body());
            throw problem("it answers " + (type.find() ? type.group(1) : answer.statusCode()), null);
        }
        Matcher found = Pattern.compile("\"" + name + "\": ?\"([A-Za-z0-9+/=]{1,1000})\"")
                .matcher(answer.body());
        try {
            if (found.find()) {
                return Base64.getDecoder().decode(found.group(1));
            }
        } catch (IllegalArgumentException e) {
            throw problem("its " + name + " is not base 64", e);
        }
        throw problem("its answer has no " + name, null);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private KeystoreUnusableException problem(String text, @Nullable Throwable cause) {
        return new KeystoreUnusableException("key service: key " + keyId + ": " + text, cause);
    }
}
