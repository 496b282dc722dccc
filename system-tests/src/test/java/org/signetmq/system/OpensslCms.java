/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.testkit.Openssl;

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
            assertThat(new Openssl(folder)
                            .run("cms", "-cmsout", "-print", "-noout", "-inform", "DER", "-in", envelope.toString()))
                    .contains("contentType: id-smime-ct-authEnvelopedData", "algorithm: aes-256-gcm");
            rest = Arrays.copyOfRange(rest, length, rest.length);
        }
    }

    private int length(Path file) throws IOException {
        Matcher lengths = LENGTHS.matcher(new Openssl(folder)
                .run("asn1parse", "-inform", "DER", "-in", file.toString())
                .strip());
        assertThat(lengths.lookingAt()).isTrue();
        return Integer.parseInt(lengths.group(1)) + Integer.parseInt(lengths.group(2));
    }
}
