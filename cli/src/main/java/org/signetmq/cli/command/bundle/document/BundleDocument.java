/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.trust.Certificates;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/**
 * The document of a bundle, which a signature covers. The reader takes it after the signature was verified, and rejects
 * what it does not know.
 */
public final class BundleDocument {
    private static final String VERSION_KEY = "signet-bundle";
    private static final int VERSION = 1;
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(BundleLimits.DEPTH)
                            .maxStringLength(BundleLimits.TEXT)
                            .maxNameLength(1000)
                            .maxNumberLength(20)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Set<String> KEYS = Set.of(
            VERSION_KEY,
            "id",
            "created",
            "not-after",
            "recipient",
            "addresses",
            "policies",
            "recipients",
            "trust",
            "crl");
    private static final int LONGEST_ADDRESS = 2048;

    private final String place;

    private BundleDocument(String place) {
        this.place = place;
    }

    /** Writes a document, in UTF-8. */
    public static byte[] bytes(Bundle bundle) {
        ObjectNode json = Json.object()
                .put(VERSION_KEY, VERSION)
                .put("id", bundle.id())
                .put("created", bundle.created().toString())
                .put("not-after", bundle.notAfter().toString());
        Bundle.Consumer recipient = bundle.recipient();
        if (recipient != null) {
            json.putObject("recipient").put("name", recipient.name()).put("key-id", recipient.keyId());
        }
        ArrayNode addresses = json.putArray("addresses");
        bundle.addresses().forEach(addresses::add);
        json.set("policies", Json.parse(PolicyFile.format(bundle.policies())));
        for (HomeFolder folder : HomeFolder.values()) {
            ArrayNode files = json.putArray(folder.key());
            bundle.entries().stream().filter(entry -> entry.folder() == folder).forEach(entry -> {
                ArrayNode content = files.addObject().put("name", entry.name()).putArray("content");
                entry.encoded().forEach(content::add);
            });
        }
        byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > BundleLimits.FILE - 65_536) { // the signature and its certificates come around it
            throw CliException.failure("bundle: longer than " + BundleLimits.FILE + " bytes; name fewer addresses");
        }
        return bytes;
    }

    /**
     * Reads a document.
     *
     * @param place the file for messages
     * @throws CliException if it is no bundle, or exceeds a limit
     */
    public static Bundle read(String place, byte[] document) {
        BundleDocument reader = new BundleDocument(place);
        try {
            return reader.bundle(MAPPER.readTree(document));
        } catch (IOException | DateTimeException | IllegalArgumentException | KeystoreUnusableException e) {
            throw reader.rejected(Failures.inWords(e)).causedBy(e);
        } catch (InvalidPolicyException e) {
            throw reader.rejected("its policies cannot be used")
                    .details(e.problems().stream().map(Object::toString).toList())
                    .causedBy(e);
        } catch (StackOverflowError e) {
            throw reader.rejected("nested too deeply").causedBy(e);
        }
    }

    private CliException rejected(String why) {
        String shown = Failures.oneLine(why);
        return CliException.failure(place + ": not a bundle that this version of Signet reads: "
                + shown.substring(0, Math.min(shown.length(), 500)));
    }

    private Bundle bundle(@Nullable JsonNode json) {
        if (json == null || !json.isObject()) {
            throw rejected("no object");
        }
        JsonNode version = json.path(VERSION_KEY);
        if (!version.isInt() || version.intValue() != VERSION) {
            throw rejected("'" + VERSION_KEY + "' is not " + VERSION);
        }
        requireKeys(json, KEYS);
        String id = text(json, "id", 64);
        if (!id.matches("[0-9a-f]{32}")) {
            throw rejected("'id' is not 32 hex digits");
        }
        Instant created = time(json, "created");
        Instant notAfter = time(json, "not-after");
        if (notAfter.isAfter(created.plus(Duration.ofDays(BundleLimits.DAYS)))) {
            throw rejected("'not-after' is more than " + BundleLimits.DAYS + " days after 'created'");
        }
        PolicySet policies =
                PolicyFile.parse(object(json.path("policies"), "policies").toString(), PartyValidator.acceptAll());
        List<BundleEntry> entries = new ArrayList<>();
        for (HomeFolder folder : HomeFolder.values()) {
            entries.addAll(entries(json.path(folder.key()), folder));
        }
        return new Bundle(
                id,
                created,
                notAfter,
                json.has("recipient") ? recipient(object(json.path("recipient"), "recipient")) : null,
                addresses(json.path("addresses")),
                policies,
                entries);
    }

    /** Returns a time between the years 0 and 9999, which calculations with days cannot exceed. */
    private Instant time(JsonNode json, String key) {
        String text = text(json, key, 64);
        if (!text.matches("[0-9]{4}-.*Z")) {
            throw rejected("'" + key + "' is no time in UTC");
        }
        return Instant.parse(text);
    }

    private Bundle.Consumer recipient(JsonNode json) {
        requireKeys(json, Set.of("name", "key-id"));
        return new Bundle.Consumer(name(text(json, "name", 64)), text(json, "key-id", 128));
    }

    private List<String> addresses(JsonNode json) {
        requireList(json, "addresses", BundleLimits.ADDRESSES);
        List<String> addresses = new ArrayList<>();
        for (JsonNode address : json) {
            if (!address.isTextual() || address.textValue().length() > LONGEST_ADDRESS) {
                throw rejected("'addresses' has an entry that is no address");
            }
            addresses.add(Failures.oneLine(address.textValue()));
        }
        return addresses;
    }

    private List<BundleEntry> entries(JsonNode json, HomeFolder folder) {
        requireList(json, folder.key(), BundleLimits.files(folder));
        Set<String> names = new HashSet<>();
        List<BundleEntry> entries = new ArrayList<>();
        for (JsonNode file : json) {
            requireKeys(object(file, folder.key()), Set.of("name", "content"));
            String name = name(text(file, "name", 64));
            if (!names.add(name.toLowerCase(Locale.ROOT))) { // as file systems that ignore case do
                throw rejected("'" + folder.key() + "' has the name '" + name + "' twice");
            }
            JsonNode content = file.path("content");
            requireList(content, folder.key(), BundleLimits.IN_FILE);
            if (content.isEmpty()) {
                throw rejected("'" + folder.key() + "/" + name + "' is empty");
            }
            List<byte[]> all = new ArrayList<>();
            for (JsonNode encoded : content) {
                all.add(der(encoded, folder));
            }
            entries.add(BundleEntry.of(folder, name, all));
        }
        return entries;
    }

    private byte[] der(JsonNode encoded, HomeFolder folder) {
        byte[] der = Base64.getDecoder().decode(encoded.isTextual() ? encoded.textValue() : "?");
        if (der.length > BundleLimits.bytes(folder)) {
            throw rejected("'" + folder.key() + "' has an entry of more than " + BundleLimits.bytes(folder) + " bytes");
        }
        if (folder == HomeFolder.CRL) {
            requireCrl(der);
        } else if (Certificates.length(Certificates.fromDer(der)) != der.length) {
            throw rejected("'" + folder.key() + "' has bytes behind a certificate");
        }
        return der;
    }

    private void requireCrl(byte[] der) {
        try {
            if (CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der)) != null) {
                return;
            }
        } catch (GeneralSecurityException e) {
            // said below
        }
        throw rejected("'crl' has an entry that is no revocation list");
    }

    private String name(String name) {
        if (!BundleLimits.NAME.matcher(name).matches()) {
            throw rejected("'" + name + "' is no name of a file; a name has 1 to 64 letters, digits, '.', '-' or '_',"
                    + " and does not start with '.'");
        }
        return name;
    }

    private String text(JsonNode json, String key, int longest) {
        JsonNode value = json.path(key);
        if (!value.isTextual() || value.textValue().length() > longest) {
            throw rejected("'" + key + "' is no text of at most " + longest + " characters");
        }
        return value.textValue();
    }

    private JsonNode object(JsonNode json, String key) {
        if (!json.isObject()) {
            throw rejected("'" + key + "' is no object");
        }
        return json;
    }

    private void requireList(JsonNode json, String key, int most) {
        if (!json.isArray() || json.size() > most) {
            throw rejected("'" + key + "' is no list of at most " + most + " entries");
        }
    }

    private void requireKeys(JsonNode json, Set<String> known) {
        for (Iterator<String> keys = json.fieldNames(); keys.hasNext(); ) {
            String key = keys.next();
            if (!known.contains(key)) {
                throw rejected("the key '" + key + "' is unknown");
            }
        }
    }
}
