/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.signetmq.envelope.OpenedMessage;
import org.signetmq.envelope.Opener;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.Password;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet message open}. */
@Command(
        name = "open",
        description = "Opens a message and writes its payload; nothing if anything is wrong with it.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet message open --address orders.eu --as bob --in order.cms --out order.json",
            "  signet message open --address orders.eu --as bob --entity < order.cms",
        })
final class MessageOpen implements Callable<Integer> {
    private final Session session;

    @Option(names = "--address", required = true, paramLabel = "A", description = "The address it was received from.")
    private String address = "";

    @Option(names = "--as", required = true, paramLabel = "NAME", description = "The identity whose key opens it.")
    private String name = "";

    @Option(names = "--entity", description = "The whole entity: header lines, a blank line, the payload.")
    private boolean entity;

    @Mixin
    private final InputOption input = new InputOption();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    MessageOpen(Session session) {
        this.session = session;
    }

    /** Whatever fails ends in the same way: nothing written, exit code 1, one line. */
    @Override
    public Integer call() {
        try {
            output.check(session);
            output.write(session, open(input.read(session)));
            return ExitCode.OK;
        } catch (IOException | RuntimeException e) {
            throw CliException.failure("message not opened: " + Failures.inWords(e))
                    .causedBy(e);
        }
    }

    private byte[] open(byte[] bytes) throws IOException {
        Home home = session.home();
        PolicySet policies = new PolicyStore(home).read();
        Opener.Keys keys = new Opener.Keys(List.of(reader(home)), home.recipientDirectory(), home.certificateTrust());
        try (Opener opener = Opener.create(keys, () -> policies)) {
            return entity ? opener.openEntity(bytes, address) : payload(opener.open(bytes, address), policies);
        }
    }

    private byte[] payload(OpenedMessage opened, PolicySet policies) {
        if (opened.entityIfProtected().isEmpty()) {
            if (policies.find(address).isEmpty()) {
                throw CliException.failure("not an envelope, and no policy for '" + address + "' lets it through");
            }
            session.warn("the message was not protected; its policy lets that through");
        }
        return opened.payload();
    }

    private Identity reader(Home home) {
        try (Password password = passwords.existing(session)) {
            return home.identityStore().load(name, password);
        }
    }
}
