/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.clients.AmsCodec;
import org.signetmq.perf.clients.Codec;
import org.signetmq.perf.clients.Connections;
import org.signetmq.perf.clients.Participants;
import org.signetmq.perf.clients.SealingCodec;
import org.signetmq.perf.clients.StockWork;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Transport;
import org.signetmq.perf.setting.Stock;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** The client process of a pair: all requesters and responders. */
final class ClientMain {
    static final String CONNECT = "connect";
    static final String START = "start";
    static final String MEASURE = "measure";
    static final String REST = "rest";
    static final String DISCONNECT = "disconnect";
    static final String FILL = "fill";
    static final String DRAIN = "drain";
    static final String MILLIS = "millis";
    static final String RATE = "rate";

    private final PairFolder folder;
    private final Setting setting;
    private final List<Integer> ports;
    private final Codec codec;
    private int exchanges;
    private @Nullable Participants participants;

    private ClientMain(PairFolder folder, Setting setting, List<Integer> ports)
            throws IOException, GeneralSecurityException {
        this.folder = folder;
        this.setting = setting;
        this.ports = ports;
        this.codec = codec();
    }

    private Codec codec() throws IOException, GeneralSecurityException {
        if (setting.protection().isAms()) {
            return new AmsCodec(setting);
        }
        if (!setting.protection().isSealedByClients()) {
            return Codec.NOTHING;
        }
        Home home = folder.clients();
        return new SealingCodec(
                Sealer.create(home.recipientDirectory(), home.certificateTrust()), policies(), recipient());
    }

    private PolicySet policies() throws IOException {
        return PolicyFile.read(folder.clients().policies(), PartyValidator.acceptAll());
    }

    /** Returns the identity of all clients. */
    private Identity recipient() {
        try (Password password = Password.fromFile(folder.passwordFile())) {
            return folder.clients().identityStore().load(PairFolder.RECIPIENT, password);
        }
    }

    /**
     * Runs the clients until the input ends.
     *
     * @param arguments the folder of the pair, the setting as JSON, and the ports of the brokers
     */
    public static void main(String[] arguments) throws IOException {
        Requests requests = new Requests();
        requests.run(() -> serve(requests, arguments));
    }

    private static void serve(Requests requests, String[] arguments) throws Exception {
        Setting setting = Setting.of(new Result(new ObjectMapper().readTree(arguments[1])));
        List<Integer> ports =
                Stream.of(arguments[2].split(",")).map(Integer::valueOf).toList();
        ClientMain main = new ClientMain(new PairFolder(Path.of(arguments[0])), setting, ports);
        requests.serve(
                Result.EMPTY,
                Map.of(
                        CONNECT, main::connect,
                        START, request -> main.connected().start(request.number(RATE), (long) request.number(MILLIS)),
                        MEASURE, request -> main.connected().measure((long) request.number(MILLIS)),
                        REST, request -> main.connected().rest(),
                        DISCONNECT, request -> main.disconnect(),
                        FILL, request -> main.withStock(request, StockWork::fill),
                        DRAIN, request -> main.withStock(request, StockWork::drain)));
    }

    private Participants connected() {
        if (participants == null) {
            throw new IllegalStateException("clients: not connected");
        }
        return participants;
    }

    private Result connect(Result request) throws Exception {
        disconnect();
        Load load = Load.of(request);
        String name = String.valueOf(exchanges++);
        Connections connections = connections(options(load));
        participants = new Participants(connections, codec);
        participants.connect(name, setting, load);
        return Result.EMPTY;
    }

    private interface StockTask {
        Result of(StockWork work, Stock stock) throws Exception;
    }

    private Result withStock(Result request, StockTask task) throws Exception {
        disconnect();
        Connections connections = connections(options(Load.of(1, 1, 0)));
        try {
            return task.of(new StockWork(connections, codec, setting), Stock.of(request));
        } finally {
            connections.close();
        }
    }

    /** Returns connections to all brokers, with these options in their addresses. */
    private Connections connections(String options) throws Exception {
        Connections connections = new Connections(PairFolder.SENDER, folder.password());
        for (int port : ports) {
            connections.add(factory(port, options, connections));
        }
        return connections;
    }

    private Result disconnect() throws Exception {
        if (participants != null) {
            Participants ending = participants;
            participants = null;
            ending.end();
        }
        return Result.EMPTY;
    }

    private ConnectionFactory factory(int port, String options, Connections connections) throws Exception {
        ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port + options);
        connections.closeLater(artemis);
        if (!setting.protection().isSignet()) {
            return artemis;
        }
        Home home = folder.clients();
        Opener.Keys keys = new Opener.Keys(List.of(recipient()), home.recipientDirectory(), home.certificateTrust());
        PolicySet policies = policies();
        Opener opener = Opener.create(keys, () -> policies);
        connections.closeLater(opener);
        connections.countUnwraps(opener::unwraps);
        return SignetConnectionFactory.wrap(artemis, opener);
    }

    private String options(Load load) {
        String tls =
                setting.place().transport() == Transport.TLS ? "sslEnabled=true;trustAll=true;verifyHost=false" : "";
        String window = load.style().limits().window() < 0
                ? ""
                : "consumerWindowSize=" + load.style().limits().window();
        return "?" + tls + (tls.isEmpty() || window.isEmpty() ? "" : ";") + window;
    }
}
