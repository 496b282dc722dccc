/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.Targets.Place;
import org.signetmq.cli.command.policy.access.Targets.Work;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.BrokerUrl;
import org.signetmq.cli.connection.Credentials;
import org.signetmq.cli.connection.LoginOptions;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.keystore.home.Home;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the brokers whose policies a command works on. Without them it works on the home. */
public final class TargetOptions {
    /** How long a broker may take to judge, store and replicate a large set. */
    private static final int PATIENCE_MILLIS = 120_000; // the outcome of a change that takes longer is unknown

    private static final String DEFAULT_ADDRESS = "activemq.management";

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
    private @Nullable String managementAddress;

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
        if (!isNamed && (login.isGiven() || managementAddress != null)) {
            throw CliException.usage("--broker: missing, and the options for a connection need it");
        }
        return isNamed;
    }

    /** A home that is given wins over brokers of the environment. */
    private List<String> urls(CommandContext context) {
        return brokers.isEmpty() && context.homeOption().isPresent() ? List.of() : BrokerUrl.named(brokers, context);
    }

    private Targets brokers(CommandContext context) throws IOException {
        List<String> urls = urls(context);
        Credentials credentials = login.credentials(context); // which may ask, once
        String address = managementAddress == null ? DEFAULT_ADDRESS : managementAddress;
        List<Place> places = urls.stream()
                .<Place>map(
                        url -> new BrokerPlace(new BrokerAccess(url, credentials, PATIENCE_MILLIS), address, context))
                .toList();
        if (brokers.isEmpty()) {
            context.say(
                    "SIGNET_BROKER names " + places.stream().map(Place::name).collect(Collectors.joining(", ")));
        }
        return new Targets(places);
    }

    private static Targets home(Home home, CommandContext context) {
        return new Targets(
                List.of(new HomePlace(new HomeTarget(home, context.shell().clock()))));
    }

    private record HomePlace(HomeTarget target) implements Place {
        @Override
        public String name() {
            return target.name();
        }

        @Override
        public <T> T run(Work<T> work) throws IOException {
            return work.with(target);
        }
    }

    private record BrokerPlace(BrokerAccess access, String address, CommandContext context) implements Place {
        @Override
        public String name() {
            return access.name();
        }

        @Override
        public <T> T run(Work<T> work) {
            return Management.ask(access, address, broker -> work.with(new BrokerTarget(broker, context)));
        }
    }
}
