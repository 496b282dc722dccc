/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.serve;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.console.CleanUp;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.KeyStoreOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.envelope.Opener;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet serve}. */
@Command(
        name = "serve",
        description = {
            "Opens messages over HTTP, for tools on this machine that show payloads.",
            "POST /open?address=A takes the body of a message as it lies on the broker, and answers the payload with "
                    + "its signer and quality as JSON. Each request needs the token, and gets a line of the audit on "
                    + "standard output. Ends by SIGTERM or SIGINT.",
        },
        footer = {
            "  signet serve --as alice --token-file serve.token --listen 127.0.0.1:8790 >> serve-audit.log",
            "  printf 'Authorization: Bearer %s' \"$(cat serve.token)\" | curl -H @- --data-binary @order.cms \\",
            "    'http://127.0.0.1:8790/open?address=orders.eu'",
        })
public final class ServeCommand extends Subcommand {
    private static final Pattern PLACE = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:]+):([0-9]{1,5})");
    private static final Pattern TOKEN = Pattern.compile("[!-~]{32,1024}");
    private static final int TOKEN_BYTES = 32;

    @Option(names = "--as", required = true, paramLabel = "NAME", description = "The identity whose keys open them.")
    private String name = "";

    @Option(
            names = "--token-file",
            required = true,
            paramLabel = "FILE",
            description = "The first line is the token that each request needs, at least 32 characters. A file that is "
                    + "not there is made, with mode 0600 and a random token.")
    private Path tokenFile = Path.of("");

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "An address of this machine's loopback alone; default 127.0.0.1:8790.")
    private String listen = "127.0.0.1:8790";

    @Mixin
    private final KeyStoreOptions keys = new KeyStoreOptions();

    @Override
    public Integer call() throws IOException {
        InetSocketAddress place = place();
        Home home = context.existingHome();
        byte[] token = tokenDigest();
        CountDownLatch end = new CountDownLatch(1);
        try (CleanUp cleanUp = new CleanUp()) {
            cleanUp.add(end::countDown);
            HomeReader files = PolicyStore.reader(home, new PolicyStore(home).read());
            cleanUp.add(files);
            ServedPolicies policies = new ServedPolicies(home, files);
            PolicySet unused = policies.get(); // fails now if they cannot work
            KeyStoreOptions.Watched watched = cleanUp.add(keys.watch(context, name, files));
            Opener opener = cleanUp.add(Opener.create(new Opener.Keys(watched.source(), files, files), policies));
            OpenService service = new OpenService(opener, new ServeAudit(context, name));
            try (OpenServer server = OpenServer.start(place, token, service)) {
                cleanUp.add(server);
                context.say("listening on http://" + hostAndPort(server.address()) + ", opens by the keys of " + name);
                end.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }

    private static String hostAndPort(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host.replaceFirst("%.*", "") + "]" : host) + ":" + address.getPort();
    }

    /** Returns the address to listen at. It is one of the loopback: the answers have payloads in clear. */
    private InetSocketAddress place() {
        Matcher parts = PLACE.matcher(listen);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > 0xffff) {
            throw CliException.usage("--listen: must be HOST:PORT such as 127.0.0.1:8790, found '" + listen + "'");
        }
        try {
            InetAddress host = InetAddress.getByName(parts.group(1));
            if (host.isLoopbackAddress()) {
                return new InetSocketAddress(host, Integer.parseInt(parts.group(2)));
            }
        } catch (UnknownHostException e) {
            throw CliException.usage("--listen: no such host '" + parts.group(1) + "'");
        }
        throw CliException.usage("--listen: must be an address of the loopback such as 127.0.0.1, because payloads are"
                + " answered without TLS; put a proxy with TLS before it");
    }

    /** Returns the digest of the token. The token itself is not kept. */
    private byte[] tokenDigest() throws IOException {
        Path file = context.resolve(tokenFile);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] random = new byte[TOKEN_BYTES];
            new SecureRandom().nextBytes(random);
            context.requireOwn(file.toAbsolutePath().resolveSibling(""), "serve ...");
            String made = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
            new WholeFile(file).write((made + "\n").getBytes(StandardCharsets.US_ASCII), WholeFile.PRIVATE);
            context.say(file + ": made, with a random token");
        }
        try (Password read = Password.fromFile(file)) {
            char[] characters = read.copyOfCharacters();
            try {
                String token = new String(characters);
                if (!TOKEN.matcher(token).matches()) {
                    throw CliException.configuration(
                                    file
                                            + ": its first line is no token: 32 to 1024 printable ASCII characters without blanks")
                            .hint("remove the file, and signet serve makes a random one");
                }
                return CryptoProviders.sha256(token.getBytes(StandardCharsets.US_ASCII));
            } finally {
                Arrays.fill(characters, '\0');
            }
        }
    }
}
