/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.nio.file.Files;
import org.signetmq.testkit.BrokerInstance;

/** How a broker writes its journal. */
enum Journal {
    NIO("Using NIO Journal"),
    /** As memory, which the system writes to the disk in its own time. */
    MAPPED("Using MAPPED Journal"),
    /** By libaio. Where there is none, the broker says so and uses NIO. */
    ASYNCIO("Using AIO Journal");

    private final String said;

    Journal(String said) {
        this.said = said;
    }

    void configure(BrokerInstance broker) throws IOException {
        String xml = Files.readString(broker.brokerXml());
        Files.writeString(broker.brokerXml(), xml.replace("<journal-type>NIO<", "<journal-type>" + name() + "<"));
    }

    /** The memory and files that a started broker uses. */
    static Journal usedBy(BrokerInstance broker) throws IOException {
        String console = broker.console();
        for (Journal journal : values()) {
            if (console.contains(journal.said)) {
                return journal;
            }
        }
        throw new AssertionError("no journal in the log\n" + console);
    }
}
