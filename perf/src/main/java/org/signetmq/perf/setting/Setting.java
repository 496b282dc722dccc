/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.setting;

import java.util.List;
import java.util.Locale;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.Policy;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;

/**
 * One setting of an experiment; all messages of a pair have it.
 *
 * @param reuse of data keys; {@link Reuse#NONE} for a protection that does not reuse them
 * @param key of signers and recipients; always RSA in the manner of AMS
 * @param place the kind of connections and of the disk, and the supply of data keys
 */
public record Setting(Protection protection, Reuse reuse, KeyKind key, Place place) {
    /** The plugin without a policy: all other settings are compared with it. */
    public static final Setting NONE = unprotected(Protection.NONE);
    /** No plugin at all. */
    public static final Setting PLAIN = unprotected(Protection.PLAIN);

    /** Leaves out what makes no difference: settings of one label are the same. */
    public Setting {
        reuse = protection.reusesKeys() ? reuse : Reuse.NONE;
        key = protection.isAms() ? KeyKind.RSA2048 : protection.isSignet() ? key : KeyKind.P256;
    }

    /**
     * The kind of connections, the disk of the journal, and the broker's supply of data keys.
     *
     * @param disk its name in results; empty for the temporary folder
     */
    public record Place(Transport transport, String disk, KeySupply keys) {
        /** TCP, and a journal in the temporary folder. */
        public static final Place USUAL = new Place(Transport.TCP, "");

        /** Makes a place with the usual supply of data keys. */
        public Place(Transport transport, String disk) {
            this(transport, disk, KeySupply.USUAL);
        }

        /** Returns the usual place with this supply of data keys. */
        public static Place with(KeySupply keys) {
            return new Place(USUAL.transport, USUAL.disk, keys);
        }

        private String suffix() {
            return keys.suffix() + (transport == Transport.TLS ? "+tls" : "") + (disk.isEmpty() ? "" : "@" + disk);
        }

        private Result json(Result of) {
            Result json = of.with("transport", transport.name().toLowerCase(Locale.ROOT))
                    .with("disk", disk);
            return keys.equals(KeySupply.USUAL)
                    ? json
                    : json.with("recipients", keys.recipients()).with("pool", keys.pool());
        }

        private static Place of(Result json) {
            return new Place(
                    Transport.valueOf(json.text("transport").toUpperCase(Locale.ROOT)),
                    json.text("disk"),
                    json.has("pool")
                            ? new KeySupply((int) json.number("recipients"), json.text("pool"))
                            : KeySupply.USUAL);
        }
    }

    /** The kind of connections. */
    public enum Transport {
        TCP,
        TLS
    }

    private static Setting unprotected(Protection protection) {
        return new Setting(protection, Reuse.NONE, KeyKind.P256, Place.USUAL);
    }

    /** Returns a setting with the usual connections and disk. */
    public static Setting of(Protection protection, Reuse reuse, KeyKind key) {
        return new Setting(protection, reuse, key, Place.USUAL);
    }

    /** Returns the same protection in another place. */
    public Setting in(Place other) {
        return new Setting(protection, reuse, key, other);
    }

    /** Returns the same setting without protection: what it is compared with. */
    public Setting baseline() {
        return NONE.in(place);
    }

    /** Returns the same setting with unlimited reuse of keys. */
    public Setting unlimited() {
        return new Setting(protection, Reuse.UNLIMITED, key, place);
    }

    /** Returns the name in results, such as {@code confidentiality.32.p256+tls}. */
    public String label() {
        String of = protection.label();
        if (protection.reusesKeys()) {
            of += "." + reuse.label();
        }
        if (protection.isSignet()) {
            of += "." + key.label();
        }
        return of + place.suffix();
    }

    /** Returns the fields of JSON that tell settings apart. */
    public Result json() {
        return place.json(Result.EMPTY
                .with("setting", label())
                .with("protection", protection.label())
                .with("reuse", reuse.json())
                .with("key", protection.quality().isPresent() ? key.label() : "none"));
    }

    /** Returns a setting from its fields of JSON. */
    public static Setting of(Result json) {
        String key = json.text("key");
        return new Setting(
                Protection.named(json.text("protection")),
                new Reuse(json.text("reuse")),
                key.equals("none") ? KeyKind.P256 : KeyKind.named(key),
                Place.of(json));
    }

    /** Returns the policy of a broker with this protection. */
    public Policy policy(String pattern, List<String> recipients) {
        Policy policy = new Variant(protection.quality().orElseThrow(), reuse, key).policy(pattern, recipients);
        return protection.isSealedByClients()
                ? policy.with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT))
                : policy;
    }
}
