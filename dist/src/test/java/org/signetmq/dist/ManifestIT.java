/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The manifests of examples/kubernetes by the schemas of Kubernetes, cert-manager and the ArkMQ operator. */
final class ManifestIT {
    private static final Path EXAMPLES = Path.of("../examples/kubernetes");
    private static final ObjectMapper JSON = new ObjectMapper();

    private static Stream<Path> manifests() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void manifest_hasTheFieldsAndValuesOfItsSchema(Path file) throws IOException {
        assertThat(problems(Files.readString(file))).isEmpty();
    }

    /** The check itself: each change is an error that a cluster would report, or a field that it would drop. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicas: 1 -> replicas: one",
                "readOnlyRootFilesystem -> readOnlyRootFileSystem",
                "fsGroupChangePolicy -> fsGroupPolicy",
                "mountPath: /tmp -> path: /tmp",
                "storage: 8Gi -> storage: [8Gi]",
                "serviceName: signet-broker -> labels: {}"
            })
    void brokenManifest_isReported(String change) throws IOException {
        String[] words = change.split(" -> ", 2);
        String text = Files.readString(EXAMPLES.resolve("broker.yaml"));
        assertThat(text).contains(words[0]);
        assertThat(problems(text.replace(words[0], words[1]))).isNotEmpty();
    }

    @Test
    void secretOfCertManager_hasNoUnknownField() throws IOException {
        String text = Files.readString(EXAMPLES.resolve("certificates.yaml"));
        assertThat(problems(text.replace("passwordSecretRef", "passwordRef"))).isNotEmpty();
    }

    private static Set<String> problems(String manifests) throws IOException {
        JsonNode schemas;
        try (InputStream in = Objects.requireNonNull(ManifestIT.class.getResourceAsStream("kubernetes.json"))) {
            schemas = JSON.readTree(in);
        }
        Set<String> problems = new TreeSet<>();
        for (Object object : new Yaml().loadAll(manifests)) {
            JsonNode manifest = JSON.valueToTree(object);
            String name = manifest.path("apiVersion").asText() + " "
                    + manifest.path("kind").asText();
            assertThat(schemas.path("objects").has(name))
                    .as("a schema of " + name)
                    .isTrue();
            ObjectNode schema = schemas.path("objects").path(name).deepCopy();
            schema.set("$defs", schemas.path("$defs"));
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schema).validate(manifest).stream()
                    .map(ValidationMessage::getMessage)
                    .forEach(problem -> problems.add(name + ": " + problem));
        }
        return problems;
    }
}
