/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The metadata by which editors complete the properties. */
final class MetadataTest {
    @Test
    void eachProperty_hasADescription() throws Exception {
        try (InputStream in =
                SignetProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(in).isNotNull();
            String metadata = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (RecordComponent component : SignetProperties.class.getRecordComponents()) {
                String name = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
                assertThat(metadata)
                        .containsPattern("\"name\": \"signet." + name
                                + "\",\\s*\"type\": \"[^\"]+\",\\s*\"description\": \"[^\"]+\"");
            }
        }
    }
}
