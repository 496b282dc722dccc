/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Blocks.Name;
import org.signetmq.perf.rr.Blocks.Place;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Load.Producers;
import org.signetmq.perf.setting.Load.Style;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Transport;

final class BlocksTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Place FIRST = new Place(0, 0, Blocks.CLOSED);

    private static final List<Name> DIFFERENT = List.of(
            name("", Figured.LIMITED, Figured.LOAD, FIRST),
            name("other", Figured.LIMITED, Figured.LOAD, FIRST),
            name("", Figured.UNLIMITED, Figured.LOAD, FIRST),
            name("", Figured.LIMITED.in(new Setting.Place(Transport.TLS, "")), Figured.LOAD, FIRST),
            name("", Figured.LIMITED.in(new Setting.Place(Transport.TCP, "ssd")), Figured.LOAD, FIRST),
            name("", Figured.LIMITED, Load.of(8, 1, 2048), FIRST),
            name("", Figured.LIMITED, Load.of(32, 2, 2048), FIRST),
            name("", Figured.LIMITED, Load.of(32, 1, 256), FIRST),
            name("", Figured.LIMITED, new Load(32, 1, 2048, new Style(Producers.ANONYMOUS, -1, 4096)), FIRST),
            name("", Figured.LIMITED, Figured.LOAD, new Place(1, 0, Blocks.CLOSED)),
            name("", Figured.LIMITED, Figured.LOAD, new Place(0, 1, Blocks.CLOSED)),
            name("", Figured.LIMITED, Figured.LOAD, new Place(0, 0, 0.5)),
            name("", Figured.LIMITED, Figured.LOAD, new Place(0, 0, 0.8)));

    @Test
    void blocks_areToldApart_alsoAfterTheyWereRead() throws Exception {
        Blocks blocks = new Blocks();
        for (int i = 0; i < DIFFERENT.size(); i++) {
            assertThat(blocks.find(DIFFERENT.get(i))).isEmpty();
            blocks.add(DIFFERENT.get(i), Figured.figures(100 + i));
        }

        for (Blocks each : List.of(blocks, read(blocks))) {
            assertThat(each.list()).hasSameSizeAs(DIFFERENT);
            for (int i = 0; i < DIFFERENT.size(); i++) {
                Result found = each.find(DIFFERENT.get(i)).orElseThrow();
                assertThat(found.number("round_trips_per_s")).isEqualTo(100 + i);
            }
        }
    }

    @Test
    void blocks_areWrittenAsTheyWereRead() throws Exception {
        Blocks blocks = new Blocks();
        DIFFERENT.forEach(name -> blocks.add(name, Figured.figures(1234.5)));

        Blocks again = read(read(blocks));

        assertThat(JSON.writeValueAsString(again.list())).isEqualTo(JSON.writeValueAsString(blocks.list()));
    }

    @Test
    void block_namesItsSettingLoadAndPlace() throws Exception {
        Blocks blocks = new Blocks();
        blocks.add(
                name("p", Figured.LIMITED, Figured.LOAD, new Place(1, 2, 0.5)),
                Result.EMPTY.with("gc_ms_per_s.broker", 7));

        assertThat(JSON.writeValueAsString(blocks.list()).replace('"', '\''))
                .isEqualTo("[{'part':'p','setting':'confidentiality.32.p256','protection':'confidentiality','reuse':32,"
                        + "'key':'p256','transport':'tcp','disk':'','clients':32,'queues':1,'size':2048,"
                        + "'round':1,'position':2,'pace':0.5,'gc_ms_per_s':{'broker':7}}]");
    }

    @Test
    void blockThatIsMeasuredAgain_replacesTheEarlierOne() {
        Blocks blocks = new Blocks();
        blocks.add(DIFFERENT.get(0), Figured.figures(1));
        blocks.add(DIFFERENT.get(0), Figured.figures(2));

        assertThat(blocks.list()).hasSize(1);
        assertThat(blocks.find(DIFFERENT.get(0)).orElseThrow().number("round_trips_per_s"))
                .isEqualTo(2);
    }

    @Test
    void fileWithoutBlocks_hasNone() throws Exception {
        assertThat(Blocks.of(MissingNode.getInstance()).list()).isEmpty();
        assertThat(Blocks.of(JSON.readTree("{\"results\":[{}]}")).list()).isEmpty();
    }

    private static Name name(String part, Setting setting, Load load, Place place) {
        return new Name(part, setting, load, place);
    }

    /** Returns the blocks as another run reads them. */
    private static Blocks read(Blocks blocks) throws Exception {
        JsonNode file = JSON.readTree(JSON.writeValueAsString(Map.of("blocks", blocks.list())));
        return Blocks.of(file);
    }
}
