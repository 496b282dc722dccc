/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The broker and its clients, as processes of their own. */
final class Processes implements RoundTripRun.Blocks {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String READY = "ready ";

    private final JavaChild clients;

    private Processes(JavaChild clients) {
        this.clients = clients;
    }

    /**
     * Starts both.
     *
     * @param folder where the homes are, and the broker keeps its files
     * @param options of Java, for the process of this name
     * @param cleanUp ends them
     */
    static Processes start(Path folder, ChildOptions options, CleanUp cleanUp) throws IOException {
        JavaChild broker = JavaChild.start(RrBroker.class, options.of("broker"), List.of(folder.toString()));
        cleanUp.add(broker);
        String ready = broker.answer();
        if (!ready.startsWith(READY)) {
            throw new IOException("broker: not ready, says: " + ready);
        }
        JavaChild clients = JavaChild.start(RrLoad.class, options.of("client"), List.of());
        cleanUp.add(clients);
        int port = Integer.parseInt(ready.substring(READY.length()));
        clients.tell(JSON.writeValueAsString(new Site(folder.toString(), port, broker.pid())));
        return new Processes(clients);
    }

    @Override
    public BlockResult run(Block block) throws IOException {
        clients.tell(JSON.writeValueAsString(block));
        return JSON.readValue(clients.answer(), BlockResult.class);
    }
}
