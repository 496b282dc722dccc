/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The facts that stock openssl shows of bytes.
 *
 * @param folder for files
 */
record OpensslCms(Path folder) {
    private static final Pattern LENGTHS = Pattern.compile("0:d=0 +hl= *(\\d+) +l= *(\\d+)");

    /** These are envelopes of AES-256-GCM, one behind another, without other bytes. */
    void assertAreEncryptedEnvelopes(byte[] bytes) throws IOException {
        byte[] rest = bytes;
        while (rest.length > 0) {
            Path file = Files.write(folder.resolve("rest.der"), rest);
            int length = length(file);
            Path envelope = Files.write(folder.resolve("envelope.der"), Arrays.copyOf(rest, length));
            assertThat(openssl("cms", "-cmsout", "-print", "-noout", "-inform", "DER", "-in", envelope.toString()))
                    .contains("contentType: id-smime-ct-authEnvelopedData", "algorithm: aes-256-gcm");
            rest = Arrays.copyOfRange(rest, length, rest.length);
        }
    }

    private int length(Path file) throws IOException {
        Matcher lengths = LENGTHS.matcher(openssl("asn1parse", "-inform", "DER", "-in", file.toString()));
        assertThat(lengths.lookingAt()).isTrue();
        return Integer.parseInt(lengths.group(1)) + Integer.parseInt(lengths.group(2));
    }

    private String openssl(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        return Run.of(folder, command).ok().out().strip();
    }
}
