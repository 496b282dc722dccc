/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.envelope.Opener;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.pair.Exchange.Mailboxes;
import org.signetmq.perf.pair.Participants.Codec;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.result.Row;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** The client process of a pair: all requesters and responders. */
final class ClientMain {
    static final String CONNECT = "connect";
    static final String START = "start";
    static final String MEASURE = "measure";
    static final String REST = "rest";
    static final String FILL = "fill";
    static final String DRAIN = "drain";
    /** The cell with milliseconds of work. */
    static final String MILLIS = "millis";
    /** The cell with a load or a stock as JSON. */
    static final String WORK = "work";

    private final PairFolder folder;
    private final Setting setting;
    private final List<Integer> ports;
    private final Codec codec;
    private int loads;
    private @Nullable Participants participants;

    private ClientMain(PairFolder folder, Setting setting, List<Integer> ports) throws Exception {
        this.folder = folder;
        this.setting = setting;
        this.ports = ports;
        this.codec = codec();
    }

    private Codec codec() throws Exception {
        if (setting.protection().isAms()) {
            return new AmsCompat(
                    setting.protection().quality().orElseThrow(),
                    setting.messagesPerKey(),
                    AmsCompat.Identity.create("sender"),
                    AmsCompat.Identity.create("recipient"));
        }
        return Codec.NOTHING;
    }

    private PolicySet policies() throws IOException {
        return PolicyFile.read(folder.clients().policies(), PartyValidator.acceptAll());
    }

    /** Returns the keys of all clients. */
    private List<Identity> recipient() {
        try (Password password = Password.fromFile(folder.passwordFile())) {
            return setting.key().load(folder.clients(), PairFolder.RECIPIENT, password);
        }
    }

    /**
     * Runs the clients until the input ends.
     *
     * @param arguments the folder of the pair, the setting as JSON, and the ports of the brokers
     */
    public static void main(String[] arguments) {
        Requests.run(requests -> {
            List<Integer> ports =
                    Stream.of(arguments[2].split(",")).map(Integer::valueOf).toList();
            ClientMain main = new ClientMain(
                    new PairFolder(Path.of(arguments[0])), Requests.of(arguments[1], Setting.class), ports);
            requests.serve(
                    Row.EMPTY,
                    Map.of(
                            CONNECT, main::connect,
                            START, request -> main.connected().start((long) request.number(MILLIS)),
                            MEASURE, request -> main.connected().measure((long) request.number(MILLIS)),
                            REST, request -> main.connected().rest(),
                            FILL, request -> main.with(request, Stock::fill),
                            DRAIN, request -> main.with(request, main::drain)));
        });
    }

    private Row drain(Stock stock, Participants clients) throws Exception {
        return stock.drain(clients, setting);
    }

    private Participants connected() {
        if (participants == null) {
            throw new IllegalStateException("clients: not connected");
        }
        return participants;
    }

    private Row connect(Row request) throws Exception {
        disconnect();
        Load load = Requests.of(request.text(WORK), Load.class);
        String name = String.valueOf(loads++);
        Participants all = participants(load.window());
        participants = all;
        if (load.uploads()) {
            new Mailboxes(name, setting, load, all).connect();
        } else {
            new Exchange(name, setting, load, all).connect();
        }
        return all.rest();
    }

    private void disconnect() throws Exception {
        Participants ending = participants;
        participants = null;
        if (ending != null) {
            ending.end();
        }
    }

    private interface Task {
        Row of(Stock stock, Participants clients) throws Exception;
    }

    private Row with(Row request, Task task) throws Exception {
        disconnect();
        Participants clients = participants(-1);
        try {
            return task.of(Requests.of(request.text(WORK), Stock.class), clients);
        } finally {
            clients.end();
        }
    }

    private Participants participants(int window) throws Exception {
        Participants all = new Participants(PairFolder.SENDER, folder.password(), codec);
        String options = (setting.tls() ? "&sslEnabled=true&trustAll=true&verifyHost=false" : "")
                + (window < 0 ? "" : "&consumerWindowSize=" + window);
        for (int port : ports) {
            ActiveMQConnectionFactory artemis =
                    new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port + options.replaceFirst("&", "?"));
            all.closeLater(artemis);
            if (!setting.protection().isSignet()) {
                all.add(artemis);
                continue;
            }
            Home home = folder.clients();
            if (setting.protection().isClient()) {
                SignetConnectionFactory sealing = SignetConnectionFactory.open(artemis, home.root(), recipient());
                all.closeLater(sealing);
                all.add(sealing);
                continue;
            }
            Opener.Keys keys = new Opener.Keys(recipient(), home.recipientDirectory(), home.certificateTrust());
            PolicySet policies = policies();
            Opener opener = Opener.create(keys, () -> policies);
            all.closeLater(opener);
            all.countUnwraps(opener::unwraps);
            all.add(SignetConnectionFactory.wrap(artemis, opener));
        }
        return all;
    }
}
