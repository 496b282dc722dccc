/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads the published test vectors. They lie beside the project in {@code ../shared/vectors}, or where the system
 * property {@code signet.vectors} or the environment variable {@code SIGNET_VECTORS} says.
 */
public final class Vectors {
    private static final String PROPERTY = "signet.vectors";
    private static final String VARIABLE = "SIGNET_VECTORS";

    private Vectors() {}

    /** Returns a file or folder of the vectors. Skips the test with the reason if the vectors are not there. */
    public static Path path(String name) {
        Path folder = folder();
        assumeTrue(
                Files.isDirectory(folder),
                () -> "no test vectors in " + folder + ": this test did not run; name their folder by -D" + PROPERTY
                        + " or " + VARIABLE);
        return folder.resolve(name);
    }

    private static Path folder() {
        String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        return named == null ? root().resolveSibling("shared").resolve("vectors") : Path.of(named);
    }

    /** Returns the root of the project, from which Maven or an IDE started this test or one of its modules. */
    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (root.getParent() != null && !Files.exists(root.resolve("docs/format.md"))) {
            root = root.getParent();
        }
        return root;
    }

    /** Returns the tests of a file of Wycheproof. */
    public static List<Vector> wycheproof(String file) throws IOException {
        JsonNode tests = new ObjectMapper()
                .readTree(path("wycheproof/" + file + "_test.json").toFile());
        return stream(tests.get("testGroups"))
                .flatMap(group -> stream(group.get("tests")).map(test -> new Vector(group, test)))
                .toList();
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    /** One test, with the facts of its group. */
    public record Vector(JsonNode group, JsonNode test) {
        /** Returns what the vector says: valid, invalid or acceptable. */
        public String result() {
            return test.get("result").asText();
        }

        /** Returns the bytes of a field in hexadecimal digits, of the test or else of its group. */
        public byte[] bytes(String field) {
            return HexFormat.of()
                    .parseHex((test.has(field) ? test : group).get(field).asText());
        }

        /** Returns the text of a field, of the test or else of its group. Empty if neither has it. */
        public String text(String field) {
            return (test.has(field) ? test : group).path(field).asText("");
        }

        /** Tells whether the test has one of the flags that Wycheproof gives. */
        public boolean has(Predicate<String> flag) {
            return stream(test.get("flags")).map(JsonNode::asText).anyMatch(flag);
        }

        @Override
        public String toString() {
            return text("type") + " tcId " + text("tcId") + " (" + result() + ") " + text("comment") + " "
                    + test.get("flags");
        }
    }
}
