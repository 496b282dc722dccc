/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import org.signetmq.cli.connection.Management;
import org.signetmq.cli.connection.ManagementException;
import org.signetmq.cli.console.CliException;

/** The operations of the plugin in a broker, whose answers are objects of JSON. */
final class SignetOperations {
    private static final String RESOURCE = "signet";

    private final Management broker;
    private final String place;

    SignetOperations(Management broker) {
        this.broker = broker;
        this.place = broker.access().name();
    }

    String place() {
        return place;
    }

    /** Calls an operation that changes nothing. */
    Reply ask(String operation, Object... arguments) throws Exception {
        try {
            return call(operation, arguments);
        } catch (ManagementException e) {
            throw withReason(e, "");
        }
    }

    /** Calls an operation after which all policies are still as they were. */
    Reply prepare(String operation, Object... arguments) throws Exception {
        try {
            return call(operation, arguments);
        } catch (ManagementException e) {
            throw withReason(e, "; nothing was changed");
        }
    }

    /** Calls an operation that changes policies. Without an answer the outcome is unknown. */
    Reply change(String operation, Object... arguments) throws Exception {
        try {
            return call(operation, arguments);
        } catch (ManagementException e) {
            throw withReason(e, "; whether the change was made is unknown, and signet policy list --broker tells it");
        }
    }

    private Reply call(String operation, Object... arguments) throws Exception {
        return Reply.of(place, broker.call(RESOURCE, operation, arguments));
    }

    private CliException withReason(ManagementException e, String consequence) {
        return switch (e.reason()) {
            case LOST -> CliException.unreachable(place + ": the connection was lost" + consequence);
            case SILENT ->
                CliException.failure(place + ": " + e.getMessage() + consequence)
                        .hint("if its broker.xml has a <management-address>, --management-address says so");
            case NO_RESOURCE ->
                CliException.failure(place + ": has no Signet")
                        .hint("signet broker install puts it in; the broker must be started again after");
            case NO_OPERATION ->
                CliException.failure(
                                place + ": its Signet is of an earlier version, and keeps its policies in a file alone")
                        .hint("change them in the broker's home, or install this version with signet broker install");
        };
    }
}
