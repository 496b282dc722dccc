/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/var/lib/signet/trust: others may write to it; run: chmod go-w /var/lib/signet/trust",
                "identity 'broker': no file /home/b/identities/broker.p12",
                "'/var/lib/a b': cannot be listed",
                "home: no folder C:\\signet",
                "home: no folder C:/signet",
                "home: no folder \\\\server\\share",
                "(/etc/passwd)",
                "asks http://ocsp.example.com/a in the background; /etc/passwd",
                "http:///etc/passwd",
                "http:/etc/passwd"
            })
    void textWithAPath_isNotTold(String text) {
        assertThat(ClientText.of(text)).isEqualTo(ClientText.WITHOUT_PATH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no policy covers the address",
                "no certificate named 'alice' in recipients/",
                "certificate of CN=alice, serial number 0a:1b: expired on 2026-01-01T00:00:00Z",
                "the certificate 'trust/root' may not issue others",
                "Signet asks http://127.0.0.1:8080/ca.crl and http://[::1]/ocsp in the background",
                "wildcards: delimiter \".\", but broker.xml has delimiter \"/\"; run signet policy wildcards --delimiter '/'"
            })
    void textWithoutAPath_isTold(String text) {
        assertThat(ClientText.of(text)).isEqualTo(text);
    }
}
