/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SummaryTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static MeasuredFile figure(double share) throws Exception {
        return file("""
                {'command':'./signet perf figure 1','results':[
                {'study':'figure-1','setting':'none','clients':81,'queues':1,'wire_bytes_per_message':2600,
                'disk_bytes_per_message':3000},
                {'study':'figure-1','setting':'confidentiality.32.p256','clients':32,'queues':1,'share_of_none':0.97},
                {'study':'figure-1','setting':'confidentiality.32.p256','clients':81,'queues':1,'share_of_none':SHARE,
                'added_cpu_ms':0.0188,'published_share':0.862,'wire_bytes_per_message':2990,
                'disk_bytes_per_message':3540},
                {'study':'figure-1','setting':'confidentiality.32.rsa2048','clients':81,'queues':1,
                'share_of_none':0.67,'added_cpu_ms':0.098},
                {'study':'figure-1','setting':'ams.confidentiality.32','clients':81,'queues':1,'share_of_none':0.14,
                'added_cpu_ms':4.1},
                {'study':'figure-1','setting':'privacy.p256','clients':81,'queues':1,'share_of_none':0.5,
                'limit_of_share':0.6},
                {'study':'figure-1','setting':'integrity.p256','clients':81,'queues':1,'share_of_none':0.55,
                'limit_of_share':0.65}]}
                """.replace("SHARE", Double.toString(share)));
    }

    private static MeasuredFile file(String json) throws Exception {
        return new MeasuredFile("file", JSON.readTree(json.replace('\'', '"')));
    }

    @Test
    void gainAndPrice_areThoseOfTheRows() throws Exception {
        List<String> lines = new Summary(List.of(figure(0.95))).lines();

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .contains("keeps 0.97 and 0.95 of the unprotected throughput")
                .contains("seals with P-256 keys")
                .contains("With RSA-2048 keys 81 clients keep 0.67.")
                .contains("IBM published 0.86");
        assertThat(lines.get(1))
                .contains("costs 19 µs more")
                .contains("With RSA-2048 keys these are 98 µs.")
                .contains("15 % more bytes on the wire and 18 % more in");
        assertThat(lines.get(2)).contains("keeps 0.14 of the unprotected").contains("costs it 4100 µs more");
        assertThat(lines.get(3))
                .contains("privacy keeps 0.50 and integrity 0.55")
                .contains("leave 0.60 and 0.65");
    }

    @Test
    void runsThatDiffer_giveTheLeastAndTheMost() throws Exception {
        assertThat(new Summary(List.of(figure(0.95), figure(0.93))).lines().get(0))
                .contains("keeps 0.97 and 0.93 to 0.95 of the unprotected throughput");
    }

    @Test
    void rowsInWhichJavaCompiled_countOnlyWithoutOthers() throws Exception {
        MeasuredFile cold = file("""
                {'command':'./signet perf rr','results':[
                {'setting':'confidentiality.32.p256','clients':32,'queues':1,'share_of_none':0.5,
                'jit_ms_per_s':{'broker':400,'client':400}},
                {'setting':'privacy.p256','clients':81,'queues':1,'share_of_none':0.4,'limit_of_share':0.6,
                'jit_ms_per_s':{'broker':400,'client':400}}]}
                """);

        assertThat(new Summary(List.of(cold)).lines().get(1))
                .contains("privacy keeps 0.40. The bare primitives alone would leave 0.60");
        assertThat(new Summary(List.of(cold, figure(0.95))).lines().get(0)).contains("keeps 0.97 and 0.95 of");
    }

    @Test
    void fileSystems_areALine_withTheLossOfEach() throws Exception {
        MeasuredFile file = file("""
                {'command':'./signet perf filesystem','losses':[
                {'scenario':'one','size':2048,'setting':'confidentiality.32.p256@plain','worst_percent':-6.4},
                {'scenario':'one','size':2048,'setting':'none@gocryptfs','worst_percent':-40},
                {'scenario':'one','size':2048,'setting':'none@fscrypt','worst_percent':-12},
                {'scenario':'ha','size':2048,'setting':'none@fscrypt','worst_percent':-99}]}
                """);

        assertThat(new Summary(List.of(file)).lines())
                .singleElement()
                .asString()
                .contains(
                        "lose 6 % of their rate with confidentiality. They lose 40 % on gocryptfs and 12 % on fscrypt");
    }

    @Test
    void softwareCipher_isNamedBesideTheLossOnFscrypt() throws Exception {
        String file = """
                {'command':'./signet perf filesystem','disks':[{'disk':'fscrypt','cipher':'DRIVER'}],'losses':[
                {'scenario':'one','size':2048,'setting':'confidentiality.32.p256@plain','worst_percent':-6}]}
                """;

        assertThat(new Summary(List.of(file(file.replace("DRIVER", "xts(ecb(aes-fixed-time))")))).lines())
                .singleElement()
                .asString()
                .contains("in software alone");
        assertThat(new Summary(List.of(file(file.replace("DRIVER", "xts-aes-aesni")))).lines())
                .singleElement()
                .asString()
                .doesNotContain("software");
    }

    @Test
    void keysThatWereNotMeasured_areNotNamed() throws Exception {
        MeasuredFile file = file("""
                {'command':'./signet perf rr','results':[
                {'setting':'confidentiality.32.p256','clients':81,'queues':1,'share_of_none':0.9,'added_cpu_ms':0.02}]}
                """);

        assertThat(new Summary(List.of(file)).lines()).noneMatch(line -> line.contains("RSA"));
    }

    @Test
    void withoutFigures_thereIsNoLine() {
        assertThat(new Summary(List.of()).lines()).isEmpty();
    }
}
