/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.BrokerAccess.Credentials;
import org.signetmq.cli.connection.BrokerUrl;
import org.signetmq.cli.connection.LoginOptions;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.BrokerAddresses;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the brokers whose policies a command works on. Without them it works on the home. */
public final class TargetOptions {
    /** How long a broker may take to judge, store and replicate a large set. */
    private static final int PATIENCE_MILLIS = 120_000; // the outcome of a change that takes longer is unknown

    @Option(
            names = "--broker",
            paramLabel = "URL[,URL...]",
            description =
                    "Work on the policies of these running brokers, such as tcp://localhost:61616, in place of those "
                            + "of the home. A pair with failover is one: '(tcp://a:61616,tcp://b:61616)?ha=true'. "
                            + "Default $SIGNET_BROKER, unless --home is given.")
    private List<String> brokers = List.of();

    @Mixin
    private final LoginOptions login = new LoginOptions();

    @Option(
            names = "--management-address",
            paramLabel = "ADDRESS",
            description = "Where the brokers take management messages: the <management-address> of their broker.xml.")
    private String managementAddress = "";

    /** Returns the brokers, or else the home, which must exist. */
    public Targets existing(CommandContext context) throws IOException {
        return isBroker(context) ? brokers(context) : home(context.existingHome(), context);
    }

    /** Returns the brokers, or else the home, which a change makes. */
    public Targets any(CommandContext context) throws IOException {
        return isBroker(context) ? brokers(context) : home(context.home(), context);
    }

    /** Whether a broker is named. */
    public boolean isBroker(CommandContext context) {
        boolean isNamed = !urls(context).isEmpty();
        if (!isNamed && (login.isGiven() || !managementAddress.isEmpty())) {
            throw CliException.usage("--broker: missing, and the options for a connection need it");
        }
        return isNamed;
    }

    /** A home that is given wins over brokers of the environment. */
    private List<String> urls(CommandContext context) {
        return brokers.isEmpty() && context.homeOption().isPresent() ? List.of() : BrokerUrl.named(brokers, context);
    }

    private Targets brokers(CommandContext context) throws IOException {
        Credentials credentials = login.credentials(context); // which may ask, once
        List<BrokerAccess> accesses = urls(context).stream()
                .map(url -> new BrokerAccess(url, credentials, PATIENCE_MILLIS))
                .toList();
        if (brokers.isEmpty()) {
            context.say("SIGNET_BROKER names "
                    + accesses.stream().map(BrokerAccess::name).collect(Collectors.joining(", ")));
        }
        String address = managementAddress.isEmpty() ? BrokerAddresses.DEFAULT.management() : managementAddress;
        return new Targets(accesses, address, null, context);
    }

    private static Targets home(Home home, CommandContext context) {
        return new Targets(List.of(), "", new PolicyStore(home, context.shell().clock()), context);
    }

    /** Work with one place. */
    public interface Work<T> {
        T with(PolicyTarget target) throws IOException;
    }

    /** Shows what was done in a place. */
    public interface Shown<T> {
        /**
         * Shows a result.
         *
         * @param prefix the place and a colon if there are several; else an empty text
         */
        void show(String prefix, T result);
    }

    /** The places that a command works on: a home, or one broker or more. */
    public static final class Targets {
        private final List<BrokerAccess> brokers;
        private final String address;
        private final @Nullable PolicyStore home;
        private final CommandContext context;

        private Targets(
                List<BrokerAccess> brokers, String address, @Nullable PolicyStore home, CommandContext context) {
            this.brokers = brokers;
            this.address = address;
            this.home = home;
            this.context = context;
        }

        /** Whether there are several places. */
        public boolean areSeveral() {
            return brokers.size() > 1;
        }

        /**
         * Does work in the only place.
         *
         * @throws CliException if there are several
         */
        public <T> T only(Work<T> work) throws IOException {
            if (areSeveral()) {
                throw CliException.usage(
                        "--broker: this command asks one broker, and " + brokers.size() + " are named");
            }
            return home == null ? run(brokers.get(0), work) : work.with(home);
        }

        private <T> T run(BrokerAccess access, Work<T> work) {
            return Management.ask(access, address, broker -> work.with(new BrokerTarget(broker, context)));
        }

        /** Does work at each of two brokers, and returns the results; empty if not two are named. */
        public <T> List<T> atTwo(Work<T> work) {
            return brokers.size() == 2
                    ? brokers.stream().map(access -> run(access, work)).toList()
                    : List.of();
        }

        /**
         * Does the same work in each place, and shows what was done. A failure in one of several does not keep the
         * others from it.
         *
         * @param what the work for messages
         * @throws CliException if it failed in a place
         */
        public <T> void each(String what, Work<T> work, Shown<T> shown) throws IOException {
            if (!areSeveral()) {
                shown.show("", only(work));
                return;
            }
            List<String> failures = new ArrayList<>();
            int failed = 0;
            for (BrokerAccess access : brokers) {
                String prefix = access.name() + ": ";
                try {
                    shown.show(prefix, run(access, work));
                } catch (CliException e) {
                    failed++;
                    e.lines().forEach(line -> failures.add(line.startsWith(prefix) ? line : prefix + line));
                }
            }
            if (failed > 0) {
                throw CliException.failure(what + ": failed at " + failed + " of " + brokers.size() + " brokers")
                        .details(failures);
            }
        }
    }
}
