/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.trust.Certificates;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/**
 * What a consumer needs of a home, and the document of it, which a signature covers. The reader takes a document after
 * the signature was verified, and rejects what it does not know. The limits are those of {@code docs/format.md}.
 *
 * @param id a random identifier
 * @param created the time of the export; a later bundle takes the place of an earlier one
 * @param notAfter the time after which no consumer imports it
 * @param recipient the identity of the consumer, or null
 * @param addresses the addresses and patterns that were named
 * @param policies the policies that decide about these addresses
 * @param entries the certificates and revocation lists
 */
record Bundle(
        String id,
        Instant created,
        Instant notAfter,
        @Nullable Consumer recipient,
        List<String> addresses,
        PolicySet policies,
        List<Entry> entries) {
    /** Bytes of the file. */
    static final int MOST_BYTES = 16 << 20;

    static final int MOST_ADDRESSES = 1000;

    /** Days until the end of a bundle. */
    static final int MOST_DAYS = 825;

    /** Certificates or lists of a file. */
    private static final int MOST_IN_FILE = 16;

    private static final int LONGEST_ADDRESS = 2048;

    /** Names of files. None leads out of its folder or hides in it. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

    private static final IntNode VERSION = IntNode.valueOf(1);

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(16)
                            .maxStringLength(2 << 20) // a revocation list in base 64 is the longest
                            .maxNameLength(1000)
                            .maxNumberLength(20)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .defaultSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL))
            .withCoercionConfig(
                    LogicalType.Textual,
                    texts -> Stream.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)
                            .forEach(shape -> texts.setCoercion(shape, CoercionAction.Fail)))
            .build();

    Bundle {
        addresses = List.copyOf(addresses);
        entries = List.copyOf(entries);
    }

    /**
     * The identity of a consumer.
     *
     * @param keyId the identifier of its key, in hex digits
     */
    record Consumer(String name, String keyId) {}

    /**
     * A file of a home, by its content. Several files of one name and different extensions are one.
     *
     * @param name the name of the file without its extension
     * @param encoded its certificates or revocation lists, DER in base 64
     */
    record Entry(Folder folder, String name, List<String> encoded) {
        Entry {
            encoded = List.copyOf(encoded);
        }

        private static Entry of(Folder folder, String name, List<byte[]> all) {
            return new Entry(
                    folder,
                    name,
                    all.stream().map(Base64.getEncoder()::encodeToString).toList());
        }

        /** Returns an entry of a party with these certificates. */
        static Entry of(String name, List<X509Certificate> certificates) {
            return of(
                    Folder.RECIPIENTS,
                    name,
                    certificates.stream().map(PublicKeyInfo::encoded).toList());
        }

        private Entry with(Entry other) {
            return new Entry(
                    folder,
                    name,
                    Stream.of(encoded, other.encoded).flatMap(List::stream).toList());
        }

        /** Returns the place in a home for messages, and in records of imports. */
        String path() {
            return folder.key() + "/" + name + folder.extension;
        }

        List<byte[]> decoded() {
            return encoded.stream().map(Base64.getDecoder()::decode).toList();
        }

        /** Returns the certificates; none for lists. */
        List<X509Certificate> certificates() {
            return folder == Folder.CRL
                    ? List.of()
                    : decoded().stream().map(Certificates::fromDer).toList();
        }

        /** Returns the fingerprint of the first certificate or list. */
        String fingerprint() {
            return Fingerprint.of(decoded().get(0));
        }

        /** Returns a digest of the whole content. */
        String digest() {
            return Fingerprint.of(String.join("\n", encoded).getBytes(StandardCharsets.UTF_8));
        }

        /** Returns the content of a file. */
        byte[] pem() {
            String label = folder == Folder.CRL ? "X509 CRL" : "CERTIFICATE";
            return decoded().stream()
                    .map(der -> Pem.block(label, der))
                    .collect(Collectors.joining())
                    .getBytes(StandardCharsets.US_ASCII);
        }

        /** Returns this entry, unless a bundle cannot have it. */
        Entry exported() {
            requireExportable(name);
            if (encoded.size() > MOST_IN_FILE || decoded().stream().anyMatch(der -> der.length > folder.mostBytes)) {
                throw tooLarge();
            }
            return this;
        }

        CliException tooLarge() {
            return CliException.failure(
                    path() + ": a bundle cannot have it, by its size; docs/format.md lists the limits");
        }
    }

    /** A folder of a home whose files a bundle may have, and the limits of these. */
    enum Folder {
        RECIPIENTS(".pem", 2000, 8192),
        TRUST(".pem", 2000, 8192),
        CRL(".crl", 100, 1 << 20);

        /** The extensions of files that a home reads. */
        private static final List<String> EXTENSIONS = List.of(".pem", ".crt", ".cer", ".der", ".crl");

        private final String extension;
        final int mostFiles;
        private final int mostBytes;

        Folder(String extension, int mostFiles, int mostBytes) {
            this.extension = extension;
            this.mostFiles = mostFiles;
            this.mostBytes = mostBytes;
        }

        /** Returns the name of the folder, which is the key in a bundle. */
        String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Reads the files of the folder in a home, by their names without extensions. An absent folder is empty. */
        Map<String, Entry> read(Home home) throws IOException {
            Map<String, Entry> found = new TreeMap<>();
            for (Path file : files(home)) {
                found.merge(name(file), read(file), Entry::with);
            }
            return found;
        }

        /** Returns the files of the folder in a home. */
        List<Path> files(Home home) throws IOException {
            try (Stream<Path> files = Files.list(home.root().resolve(key()))) {
                return files.filter(Folder::isRead).sorted().toList();
            } catch (NoSuchFileException e) {
                return List.of();
            }
        }

        /** Returns the name of a file without its extension. */
        static String name(Path file) {
            String name = String.valueOf(file.getFileName());
            return name.substring(0, name.lastIndexOf('.'));
        }

        private static boolean isRead(Path path) {
            String name = String.valueOf(path.getFileName());
            return !name.startsWith(".") && EXTENSIONS.stream().anyMatch(name::endsWith);
        }

        private Entry read(Path file) {
            List<byte[]> all = new ArrayList<>();
            try {
                if (this == CRL) {
                    for (X509CRL list : Pem.readCrls(file)) {
                        all.add(list.getEncoded());
                    }
                } else {
                    for (X509Certificate certificate : Pem.readCertificates(file)) {
                        all.add(certificate.getEncoded());
                    }
                }
            } catch (CRLException | CertificateEncodingException e) {
                throw new KeystoreUnusableException(file + ": cannot be read", e);
            }
            return Entry.of(this, name(file), all);
        }

        private void require(byte[] der) {
            Bundle.require(
                    der.length <= mostBytes, "'" + key() + "' has an entry of more than " + mostBytes + " bytes");
            if (this == CRL) {
                var unused = revocationList(der);
            } else {
                int length = Certificates.length(Certificates.fromDer(der));
                Bundle.require(length == der.length, "'" + key() + "' has bytes behind a certificate");
            }
        }
    }

    static X509CRL revocationList(byte[] der) {
        try {
            return (X509CRL) Objects.requireNonNull(
                    CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der)));
        } catch (GeneralSecurityException | NullPointerException e) {
            throw new IllegalArgumentException("'crl' has an entry that is no revocation list", e);
        }
    }

    /** Returns the name of a file or identity, unless a bundle cannot have it. */
    static String requireExportable(String name) {
        if (!NAME.matcher(name).matches()) {
            throw CliException.failure("'" + Failures.oneLine(name) + "': a bundle cannot have a file of this name")
                    .hint("rename the file to letters, digits, '.', '-' or '_', and change the policies that name it");
        }
        return name;
    }

    /** Writes the document, in UTF-8. */
    byte[] document() {
        Document document = new Document(
                VERSION,
                id,
                created.toString(),
                notAfter.toString(),
                recipient,
                addresses,
                Json.parse(PolicyFile.format(policies)),
                contents(Folder.RECIPIENTS),
                contents(Folder.TRUST),
                contents(Folder.CRL));
        byte[] bytes = MAPPER.<JsonNode>valueToTree(document).toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST_BYTES - 65_536) { // the signature and its certificates come around it
            throw CliException.failure("bundle: longer than " + MOST_BYTES + " bytes; name fewer addresses");
        }
        return bytes;
    }

    private List<Content> contents(Folder folder) {
        return entries.stream()
                .filter(entry -> entry.folder() == folder)
                .map(entry -> new Content(entry.name(), entry.encoded()))
                .toList();
    }

    /**
     * Reads a document.
     *
     * @param place the file for messages
     * @throws CliException if it is no bundle, or exceeds a limit
     */
    static Bundle read(String place, byte[] document) {
        try {
            JsonNode json = MAPPER.readTree(document);
            require(VERSION.equals(json.path("signet-bundle")), "'signet-bundle' is not " + VERSION);
            return MAPPER.treeToValue(json, Document.class).bundle();
        } catch (InvalidPolicyException e) {
            throw rejected(place, "its policies cannot be used")
                    .details(e.problems().stream().map(Object::toString).toList())
                    .causedBy(e);
        } catch (JsonMappingException e) { // its message names classes
            String key = e.getPath().stream()
                    .map(JsonMappingException.Reference::getFieldName)
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining("."));
            throw rejected(place, "the key '" + key + "' is missing, unknown, or has another kind of value")
                    .causedBy(e);
        } catch (IOException | DateTimeException | IllegalArgumentException | KeystoreUnusableException e) {
            throw rejected(place, Failures.inWords(e)).causedBy(e);
        }
    }

    private static CliException rejected(String place, String why) {
        String shown = Failures.oneLine(why);
        return CliException.failure(place + ": not a bundle that this version of Signet reads: "
                + shown.substring(0, Math.min(shown.length(), 500)));
    }

    private static void require(boolean isRight, String problem) {
        if (!isRight) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** The document by its keys. All but the recipient are required. */
    private record Document(
            @JsonProperty("signet-bundle") JsonNode version,
            String id,
            String created,
            String notAfter,

            @JsonInclude(JsonInclude.Include.NON_NULL) @JsonSetter(nulls = Nulls.SET) @Nullable
            Consumer recipient,

            List<String> addresses,
            JsonNode policies,
            List<Content> recipients,
            List<Content> trust,
            List<Content> crl) {
        private Bundle bundle() {
            require(id.matches("[0-9a-f]{32}"), "'id' is not 32 hex digits");
            Instant begin = time(created);
            Instant end = time(notAfter);
            require(
                    !end.isAfter(begin.plus(Duration.ofDays(MOST_DAYS))),
                    "'not-after' is more than " + MOST_DAYS + " days after 'created'");
            if (recipient != null) {
                requireName(recipient.name());
                require(recipient.keyId().length() <= 128, "'key-id' has more than 128 characters");
            }
            require(
                    addresses.size() <= MOST_ADDRESSES
                            && addresses.stream().allMatch(address -> address.length() <= LONGEST_ADDRESS),
                    "'addresses' has more than " + MOST_ADDRESSES + " entries, or a longer one than an address");
            require(policies.isObject(), "'policies' is no object");
            return new Bundle(
                    id,
                    begin,
                    end,
                    recipient,
                    addresses.stream().map(Failures::oneLine).toList(),
                    PolicyFile.parse(policies.toString(), PartyValidator.acceptAll()),
                    Stream.of(
                                    entries(Folder.RECIPIENTS, recipients),
                                    entries(Folder.TRUST, trust),
                                    entries(Folder.CRL, crl))
                            .flatMap(List::stream)
                            .toList());
        }

        /** Returns a time between the years 0 and 9999, which calculations with days cannot exceed. */
        private static Instant time(String text) {
            require(text.matches("[0-9]{4}-.{1,58}Z"), "'" + text + "' is no time in UTC");
            return Instant.parse(text);
        }

        private static void requireName(String name) {
            require(
                    NAME.matcher(name).matches(),
                    "'" + name + "' is no name of a file; a name has 1 to 64 letters, digits, '.', '-' or '_', and does"
                            + " not start with '.'");
        }

        private static List<Entry> entries(Folder folder, List<Content> files) {
            require(
                    files.size() <= folder.mostFiles,
                    "'" + folder.key() + "' has more than " + folder.mostFiles + " files");
            Set<String> names = new HashSet<>();
            List<Entry> entries = new ArrayList<>();
            for (Content file : files) {
                requireName(file.name());
                String name = "'" + folder.key() + "/" + file.name() + "'";
                // as file systems that ignore case do
                require(names.add(file.name().toLowerCase(Locale.ROOT)), name + " is there twice");
                int size = file.content().size();
                require(size >= 1 && size <= MOST_IN_FILE, name + " has not 1 to " + MOST_IN_FILE + " entries");
                Entry entry = new Entry(folder, file.name(), file.content());
                entry.decoded().forEach(folder::require);
                entries.add(Entry.of(folder, file.name(), entry.decoded()));
            }
            return entries;
        }
    }

    /** A file in the document. */
    private record Content(String name, List<String> content) {}
}
