/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.signetmq.perf.ams.AmsConsumer;
import org.signetmq.perf.ams.AmsIdentity;
import org.signetmq.perf.ams.AmsProducer;
import org.signetmq.perf.ams.AmsProvider;
import org.signetmq.perf.ams.AmsRoute;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Variant;

/** Clients protect payloads in the manner of AMS: a key belongs to a producer, and a consumer remembers one key. */
public final class AmsCodec implements Codec {
    private final AmsRoute route;
    private final LongAdder keys = new LongAdder();
    private final LongAdder unwraps = new LongAdder();

    /** Makes new identities for all clients of a process. */
    public AmsCodec(Setting setting) throws GeneralSecurityException {
        Variant variant = new Variant(setting.protection().quality().orElseThrow(), setting.reuse(), KeyKind.RSA2048);
        route = new AmsRoute(
                variant, AmsIdentity.create("sender"), AmsIdentity.create("recipient"), AmsProvider.INSTALLED);
    }

    @Override
    public UnaryOperator<byte[]> sealer(String address) {
        try {
            AmsProducer producer = route.producer();
            return payload -> {
                long before = producer.keys();
                try {
                    return producer.seal(payload);
                } catch (GeneralSecurityException e) {
                    throw new IllegalStateException(e.getMessage(), e);
                } finally {
                    keys.add(producer.keys() - before);
                }
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    @Override
    public UnaryOperator<byte[]> opener() {
        try {
            AmsConsumer consumer = route.consumer();
            return body -> {
                long before = consumer.unwraps();
                try {
                    return consumer.open(body);
                } catch (GeneralSecurityException e) {
                    throw new IllegalStateException(e.getMessage(), e);
                } finally {
                    unwraps.add(consumer.unwraps() - before);
                }
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    @Override
    public long keys() {
        return keys.sum();
    }

    @Override
    public long unwraps() {
        return unwraps.sum();
    }
}
