/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.setting;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.signetmq.perf.result.Result;

/**
 * Messages that lie in a queue until they are taken out.
 *
 * @param queue without the prefix of its kind
 * @param kind where the broker keeps them
 * @param count of messages
 * @param payload of each
 */
public record Stock(String queue, Kind kind, int count, byte[] payload) {
    /** The address pattern of {@link Kind#PAGED}. */
    public static final String PAGED_ADDRESSES = "rr.paged.#";

    /** Where a broker keeps messages. */
    public enum Kind {
        /** The journal, and the memory of the broker. */
        JOURNAL("rr.kept."),
        /** Pages, which the broker reads when a consumer needs them. */
        PAGED("rr.paged.");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    /** Checks the number of messages. */
    public Stock {
        Load.require("messages", count, 1);
        payload = payload.clone();
    }

    @Override
    public byte[] payload() {
        return payload.clone();
    }

    /** Returns the name of the queue. */
    public String address() {
        return kind.prefix + queue;
    }

    /** Returns the fields of JSON. */
    public Result json() {
        return Result.EMPTY
                .with("queue", queue)
                .with("kind", kind.name())
                .with("messages", count)
                .with("payload", Base64.getEncoder().encodeToString(payload));
    }

    /** Returns a stock from its fields of JSON. */
    public static Stock of(Result json) {
        return new Stock(
                json.text("queue"),
                Kind.valueOf(json.text("kind")),
                (int) json.number("messages"),
                Base64.getDecoder().decode(json.text("payload").getBytes(StandardCharsets.US_ASCII)));
    }
}
