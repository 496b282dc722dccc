/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.Management.ManagementException.Reason;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;

/** The management of a broker, asked by management messages over one connection. Not thread-safe. */
public final class Management {
    private static final String NO_RESOURCE = "AMQ229067";
    private static final String NO_OPERATION = "AMQ229069";
    private static final String FORBIDDEN = "does not have permission";

    private final BrokerAccess access;
    private final String address;
    private final ClientSession session;
    private final ClientRequestor requestor;

    private Management(BrokerAccess access, String address, ClientSession session) throws Exception {
        this.access = access;
        this.address = address;
        this.session = session;
        this.requestor = new ClientRequestor(session, address);
    }

    /** The questions of a command. */
    public interface Questions<T> {
        T ask(Management broker) throws Exception;
    }

    /**
     * Connects and asks.
     *
     * @param address where the broker takes management messages
     */
    public static <T> T ask(BrokerAccess access, String address, Questions<T> questions) {
        return access.answer(session -> questions.ask(new Management(access, address, session)));
    }

    public BrokerAccess access() {
        return access;
    }

    /** Returns attributes of a resource by their keys in JSON, as {@link #attribute} does. */
    public Map<String, @Nullable Object> attributes(String resource, List<String> keys) throws Exception {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (String key : keys) {
            values.put(key, attribute(resource, key));
        }
        return values;
    }

    /**
     * Returns an attribute of a resource by its key in JSON, such as {@code key-waits} for {@code keyWaits}. Returns
     * null if it is null, or the broker has none.
     */
    public @Nullable Object attribute(String resource, String key) throws Exception {
        // by its getter: for an attribute the broker would not say why there is no answer
        String getter = Pattern.compile("-(.)")
                .matcher("get-" + key)
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
        try {
            return call(resource, getter);
        } catch (ManagementException e) {
            if (e.reason() == Reason.NO_RESOURCE || e.reason() == Reason.NO_OPERATION) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Calls an operation and returns its result.
     *
     * @throws ManagementException if there is no answer
     * @throws CliException if the broker rejects the user, or the operation fails
     */
    public @Nullable Object call(String resource, String operation, Object... arguments) throws Exception {
        ClientMessage request = session.createMessage(false);
        ManagementHelper.putOperationInvocation(request, resource, operation, arguments);
        ClientMessage reply = reply(request);
        Object answer = ManagementHelper.getResult(reply);
        if (ManagementHelper.hasOperationSucceeded(reply)) {
            return answer;
        }
        String problem = Failures.oneLine(String.valueOf(answer));
        if (problem.contains(NO_RESOURCE)) {
            throw new ManagementException(Reason.NO_RESOURCE, "has no " + resource + ": " + problem);
        }
        if (problem.contains(NO_OPERATION)) {
            throw new ManagementException(Reason.NO_OPERATION, "is of a version without " + operation);
        }
        throw problem.contains(FORBIDDEN)
                ? access.rejected(problem)
                : CliException.failure(access.name() + ": does not do " + operation + ": " + problem);
    }

    /**
     * Calls an operation of the plugin and returns its answer, an object.
     *
     * @param consequence what is said of a connection that was lost
     * @param lacking what a plugin without the operation does not do
     */
    public JsonNode plugin(String consequence, String lacking, String operation, Object... arguments) throws Exception {
        try {
            return object(operation, arguments);
        } catch (ManagementException e) {
            throw switch (e.reason()) {
                case LOST -> CliException.unreachable(access.name() + ": the connection was lost; " + consequence);
                case SILENT -> e; // as for every command
                case NO_RESOURCE, NO_OPERATION ->
                    CliException.failure(access.name() + ": has no Signet that " + lacking)
                            .hint("signet broker install puts this version in");
            };
        }
    }

    /** Returns the answer of an operation of the plugin, an object. */
    public JsonNode object(String operation, Object... arguments) throws Exception {
        try {
            JsonNode answer = Json.parse(String.valueOf(call("signet", operation, arguments)));
            if (answer.isObject()) {
                return answer;
            }
        } catch (IllegalStateException noJson) {
            // said below
        }
        throw notUnderstood();
    }

    /** Returns the failure for an answer of another version. */
    public CliException notUnderstood() {
        return CliException.failure(access.name() + ": its Signet answers what this one does not understand");
    }

    /** Asks for a further part of a text. */
    public interface NextPart<E extends Exception> {
        JsonNode from(int offset) throws E;
    }

    /**
     * Returns the text that begins in an answer; empty if it changes while its parts are read.
     *
     * @param tooLong said of the broker if the text has more characters than {@code most}
     * @param read takes the number of characters read
     */
    public <E extends Exception> Optional<String> text(
            JsonNode first, long most, String tooLong, LongConsumer read, NextPart<E> next) throws E {
        long length = first.path("length").asLong(-1);
        if (length < 0) {
            throw notUnderstood();
        }
        if (length > most) {
            throw CliException.failure(access.name() + ": " + tooLong + ": " + length + " characters");
        }
        StringBuilder text = new StringBuilder(first.path("text").asText());
        while (text.length() < length) {
            JsonNode part = next.from(text.length());
            if (part.has("outcome")
                    || (part.has("version") && !part.path("version").equals(first.path("version")))) {
                return Optional.empty();
            }
            String more = part.path("text").asText();
            if (more.isEmpty() || text.length() + (long) more.length() > length) {
                throw CliException.failure(access.name() + ": its answer has not the length that it told");
            }
            read.accept(text.append(more).length());
        }
        return Optional.of(text.toString());
    }

    private ClientMessage reply(ClientMessage request) throws Exception {
        ClientMessage reply;
        try {
            reply = requestor.request(request, access.patience());
            if (reply != null) {
                reply.acknowledge(); // the requestor does not, and the broker would keep the answer meanwhile
            }
        } catch (ActiveMQException e) {
            throw switch (e.getType()) {
                case NOT_CONNECTED, DISCONNECTED, UNBLOCKED, OBJECT_CLOSED, REMOTE_DISCONNECT -> lost();
                case CONNECTION_TIMEDOUT -> silent();
                default -> e;
            };
        }
        if (reply != null) {
            return reply;
        }
        throw session.isClosed() ? lost() : silent();
    }

    private static ManagementException lost() {
        return new ManagementException(Reason.LOST, "the connection was lost");
    }

    private ManagementException silent() {
        return new ManagementException(Reason.SILENT, "does not answer management messages at '" + address + "'");
    }

    /** Thrown for an operation of a broker's management that has no answer. */
    public static final class ManagementException extends Exception {
        private static final long serialVersionUID = 1L;

        private final Reason reason;

        /** Why there is no answer. */
        public enum Reason {
            /** The broker has no such resource: a plugin is absent. */
            NO_RESOURCE,
            /** The resource has no such operation: it is of an earlier version. */
            NO_OPERATION,
            /** The connection ended before the answer came. */
            LOST,
            /** The broker sent no answer in time. */
            SILENT
        }

        ManagementException(Reason reason, String message) {
            super(message);
            this.reason = reason;
        }

        public Reason reason() {
            return reason;
        }
    }
}
